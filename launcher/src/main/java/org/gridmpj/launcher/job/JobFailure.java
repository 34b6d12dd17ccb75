package org.gridmpj.launcher.job;

/**
 * Why a job ends.
 *
 * @param exitCode of the job
 * @param text the sentence that the user reads
 * @param byException whether it is a rank's uncaught exception
 */
record JobFailure(int exitCode, String text, boolean byException) {
    JobFailure(int exitCode, String text) {
        this(exitCode, text, false);
    }

    /** Whether the rank failed only because another one was gone. */
    boolean isSecondary() {
        return byException && text.contains("PROC_FAILED");
    }
}
