package org.gridmpj.launcher;

/** Something that the user can put right: its message is all that is shown, and the command ends with this code. */
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Exit code of a wrong command line. */
    public static final int WRONG_COMMAND_LINE = 2;

    private final int exitCode;

    public UserError(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** The command line is wrong. */
    public static UserError usage(String message) {
        return new UserError(WRONG_COMMAND_LINE, message);
    }

    /** The command's exit code. */
    public int exitCode() {
        return exitCode;
    }
}
