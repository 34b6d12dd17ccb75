package org.gridmpj.launcher.job;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the launchers of a job have shown of its ranks' stdout, or stderr, one launcher after the other: each byte of each rank once and in
 * its order. A launcher goes on with what the log does not have, which is nothing that was shown, but for what was just being
 * written when the one before was killed.
 */
final class ShownOutput {
    private final boolean isError;
    private final Pattern pattern;
    private final List<Stream> launchers = new ArrayList<>();

    /**
     * @param pattern of a piece of what the ranks print, its first group is the rank
     */
    ShownOutput(boolean isError, Pattern pattern) {
        this.isError = isError;
        this.pattern = pattern;
    }

    /** A launcher's stream. */
    private static final class Stream extends ByteArrayOutputStream {
        private final List<String> logsBefore;
        private final LauncherSimulation world;
        private boolean isAhead;

        Stream(List<String> logsBefore, LauncherSimulation world) {
            this.logsBefore = logsBefore;
            this.world = world;
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            if (world.hasLauncher()) {
                world.mayKillLauncher();
                super.write(bytes, offset, length);
                // nothing has noted that it is shown
                isAhead = true;
                world.mayKillLauncher();
                isAhead = false;
            }
        }
    }

    boolean isError() {
        return isError;
    }

    /**
     * Another launcher begins.
     *
     * @param logs by rank, what is noted as shown
     */
    OutputStream begin(List<String> logs, LauncherSimulation world) {
        Stream next = new Stream(logs, world);
        launchers.add(next);
        return next;
    }

    /** Of the present launcher. */
    String latest() {
        return launchers.getLast().toString(StandardCharsets.UTF_8);
    }

    /** Of all of them. */
    String all() {
        StringBuilder text = new StringBuilder();
        launchers.forEach(each -> text.append('\n').append(each.toString(StandardCharsets.UTF_8)));
        return text.toString();
    }

    /**
     * Returns what is wrong with what was shown of a rank, or an empty text.
     *
     * @param whole all that its program prints when it comes to its end
     * @param log what is noted now
     */
    String problem(int worldRank, String whole, String log) {
        String after = log;
        for (int i = launchers.size() - 1; i >= 0; i--) {
            Stream launcher = launchers.get(i);
            String before = launcher.logsBefore.get(worldRank);
            String is = shown(launcher, worldRank);
            if (!whole.startsWith(after) || !after.startsWith(before)) {
                return "rank " + worldRank + " has printed " + whole + ", in the log was " + before + " and is "
                        + after;
            }
            String logged = withoutBreaks(after.substring(before.length()));
            boolean isNoted = launcher.isAhead ? is.startsWith(logged) : is.equals(logged);
            if (!isNoted || !withoutBreaks(whole.substring(before.length())).startsWith(is)) {
                return "rank " + worldRank + " has printed " + whole + ", launcher " + i + " has shown " + is
                        + ", in the log was " + before + " and is " + after;
            }
            after = before;
        }
        return "";
    }

    private String shown(Stream launcher, int worldRank) {
        StringBuilder text = new StringBuilder();
        Matcher matcher = pattern.matcher(launcher.toString(StandardCharsets.UTF_8));
        while (matcher.find()) {
            if (Integer.parseInt(matcher.group(1)) == worldRank) {
                text.append(matcher.group());
            }
        }
        return text.toString();
    }

    private static String withoutBreaks(String text) {
        return text.replace("\n", "");
    }
}
