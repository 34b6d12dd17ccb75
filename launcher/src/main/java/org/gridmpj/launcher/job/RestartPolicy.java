package org.gridmpj.launcher.job;

/**
 * Not for ever when no progress is made: a job comes back as often as it must while each life commits an epoch or gets
 * further than any before; after {@value #MAX_FRUITLESS} lives in a row that did neither, it is given up.
 */
final class RestartPolicy {
    static final int MAX_FRUITLESS = 3;

    private int fruitless;
    private long mostMpiCalls;
    private int epochs;

    /**
     * A life has ended by a signal.
     *
     * @param mpiCalls of all its ranks together
     * @param committedEpochs in all lives so far
     * @return whether to start another
     */
    boolean again(long mpiCalls, int committedEpochs) {
        boolean progress = committedEpochs > epochs || mpiCalls > mostMpiCalls;
        epochs = committedEpochs;
        mostMpiCalls = Math.max(mostMpiCalls, mpiCalls);
        fruitless = progress ? 0 : fruitless + 1;
        return fruitless < MAX_FRUITLESS;
    }
}
