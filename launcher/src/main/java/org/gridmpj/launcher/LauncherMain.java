package org.gridmpj.launcher;

import java.io.IOException;
import java.util.Arrays;

/** Entry point of the scripts: {@code LauncherMain mpjrun|mpjctl|mpjagent arguments…}. */
public final class LauncherMain {
    private LauncherMain() {}

    public static void main(String[] args) {
        String command = args.length == 0 ? "" : args[0];
        String[] rest = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
        int code;
        try {
            code = switch (command) {
                case "mpjrun" -> MpjRun.run(rest);
                case "mpjctl" -> MpjCtl.run(rest);
                case "mpjagent" -> MpjAgent.run(rest);
                default -> throw UserError.usage("use the scripts mpjrun, mpjctl and mpjagent");
            };
        } catch (UserError e) {
            System.err.println(command + ": " + e.getMessage());
            code = e.exitCode();
        } catch (IOException e) {
            System.err.println(command + ": " + e);
            code = 1;
        }
        System.exit(code);
    }
}
