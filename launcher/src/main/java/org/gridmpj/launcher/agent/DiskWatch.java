package org.gridmpj.launcher.agent;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Whether the disk of this host takes what it is given. One that hangs ends no call, so who waits for it is told by another
 * thread; and no other file is begun until it has ended the call, or each attempt would leave a thread behind.
 *
 * <p>Any thread may call.
 */
final class DiskWatch {
    /** What it should have taken by now, the oldest first. */
    private final Set<Turn> late = new LinkedHashSet<>();

    /** A file that the disk is about to take. Closed by the thread that waits for the disk. */
    final class Turn implements AutoCloseable {
        private final String file;
        private boolean isOver;

        private Turn(String file) {
            this.file = file;
        }

        /**
         * The disk has not taken it in time.
         *
         * @return whether that is so: false if it has just now
         */
        boolean giveUp() {
            synchronized (DiskWatch.this) {
                return !isOver && late.add(this);
            }
        }

        /**
         * The disk has taken it.
         *
         * @throws IOException if that was too late: it has been told that it is not there
         */
        void taken() throws IOException {
            synchronized (DiskWatch.this) {
                isOver = true;
                if (late.contains(this)) {
                    throw new IOException(file + " has come too late");
                }
            }
        }

        @Override
        public void close() {
            synchronized (DiskWatch.this) {
                isOver = true;
                boolean _ = late.remove(this);
            }
        }
    }

    /**
     * Begins with a file.
     *
     * @throws IOException if the disk still hangs with an earlier one
     */
    synchronized Turn begin(String file) throws IOException {
        if (!late.isEmpty()) {
            throw new IOException(
                    "the disk there still hangs, with " + late.iterator().next().file + remedy());
        }
        return new Turn(file);
    }

    /** What is said of a file that is given up. */
    static String hangs(long limitMillis) {
        return "the disk there has not taken it within " + limitMillis / 1000 + " s" + remedy();
    }

    private static String remedy() {
        return ". Until it does no copy is kept there, and no snapshot becomes real that needs one: mend the disk, or end the"
                + " agent of that host, then another one keeps the copies";
    }
}
