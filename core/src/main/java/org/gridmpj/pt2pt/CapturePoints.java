package org.gridmpj.pt2pt;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.gridmpj.snapshot.StackCapture;
import org.jspecify.annotations.Nullable;

/**
 * Where program threads ask whether they are to be captured: at the entry of each MPI call, before it has any effect, and
 * in the wait loop of a blocking one, whose effects its {@link CallJournal} knows. Exists only when capture is possible.
 *
 * <p>Thread-safe: journals are confined to their threads; the map of them is concurrent.
 */
final class CapturePoints {
    private final PointToPoint engine;
    private final StackCapture capture;
    private final EpochCut cut;
    private final ProgressEngine progress;
    private final Chances chances;
    private final CutRules rules;
    /** More than one thread has come: the order of their calls is a matter of time. */
    private volatile boolean severalThreads;

    private final Map<Thread, CallJournal> byThread = new ConcurrentHashMap<>();
    /** Journals of the image, by the name of the thread that enters its call again. */
    private final Map<String, CallJournal> restored = new ConcurrentHashMap<>();

    private final ThreadLocal<CallJournal> journals = ThreadLocal.withInitial(this::firstOfThread);

    CapturePoints(
            PointToPoint engine,
            StackCapture capture,
            EpochCut cut,
            ProgressEngine progress,
            Chances chances,
            CutRules rules) {
        this.chances = chances;
        this.engine = engine;
        this.capture = capture;
        this.cut = cut;
        this.progress = progress;
        this.rules = rules;
    }

    private CallJournal firstOfThread() {
        Thread thread = Thread.currentThread();
        CallJournal journal = restored.remove(thread.getName());
        if (journal == null) {
            journal = new CallJournal(engine);
        }
        byThread.put(thread, journal);
        if (byThread.size() > 1) {
            severalThreads = true;
        }
        return journal;
    }

    /** A blocking call begins. */
    CallJournal enter() {
        CallJournal journal = journals.get();
        tellOfSeveralThreads();
        if (cut.isWanted()) {
            offerAtEntry(journal);
        }
        journal.enter();
        if (!rules.hold(CutRule.START_ONCE)) {
            journal.forget();
        }
        return journal;
    }

    /** A call whose answer is recorded, which tells nothing if another thread calls, too. */
    void poll() {
        CallJournal _ = journals.get();
        tellOfSeveralThreads();
    }

    private void tellOfSeveralThreads() {
        if (severalThreads) {
            chances.met("several threads have called MPI");
        }
    }

    /** A call that does not block begins. */
    void point() {
        tellOfSeveralThreads();
        if (cut.isWanted()) {
            offerAtEntry(journals.get());
        }
    }

    private void offerAtEntry(CallJournal journal) {
        // a user's operation within a collective may ask things of MPI: that is no entry
        if (!journal.isOutside() || progress.lock.isHeldByCurrentThread()) {
            return;
        }
        String obstacle = capture.obstacle();
        if (obstacle != null) {
            cut.deferred(obstacle, false, false);
        } else {
            // also if it is wanted no more: other threads are unwinding with this one
            journal.suspend();
            throw capture.unwind();
        }
    }

    /** The steps of the call that this thread is in, or null if they need not be known. */
    @Nullable
    CallJournal inCall() {
        CallJournal journal = journals.get();
        // a schedule that this thread happens to advance starts operations of its own
        return journal.isOutside() || progress.lock.isHeldByCurrentThread() ? null : journal;
    }

    /**
     * A call waits.
     *
     * @param request what for
     * @param wouldBlock whether nothing has come that it could go on with
     */
    void offerInWait(Request request, boolean wouldBlock) {
        CallJournal journal = journals.get();
        if (journal.isOutside()) {
            return;
        }
        boolean withdraws = rules.hold(CutRule.WITHDRAW_FROM_MEETING);
        boolean first = rules.hold(CutRule.WITHDRAW_BEFORE_ASKING);
        // once others unwind with this thread it must do so, too
        if (withdraws && first && !request.letGo() && rules.hold(CutRule.NO_CUT_IN_A_MEETING)) {
            return;
        }
        String obstacle = capture.obstacle();
        if (obstacle != null) {
            request.takeUp();
            // where there are more threads, another one may be what is in the way, and may go on
            cut.deferred(obstacle, wouldBlock && !severalThreads, request.isOvertaken());
        } else if (!withdraws || first || request.letGo()) {
            // also if it is wanted no more: other threads are unwinding with this one
            journal.suspend();
            throw capture.unwind();
        }
    }

    /** Whether a thread that waits for this is to be asked. */
    boolean isWanted(Request request) {
        return cut.isWanted() && (request.isCapturable() || !rules.hold(CutRule.NO_CUT_IN_A_MEETING));
    }

    /** The calls that are to be entered again; names of threads in the one list, steps in the other. */
    void suspended(List<String> threads, List<CallJournal> steps) {
        for (Map.Entry<Thread, CallJournal> entry : new ArrayList<>(byThread.entrySet())) {
            if (!entry.getKey().isAlive()) {
                byThread.remove(entry.getKey());
            } else if (entry.getValue().isSuspended()) {
                threads.add(entry.getKey().getName());
                steps.add(entry.getValue());
            }
        }
    }

    /** Takes over what {@link #suspended} gave, before the calls are entered again. */
    void adopt(String[] threads, CallJournal[] steps) {
        for (int i = 0; i < threads.length; i++) {
            CallJournal earlier = byThread.isEmpty() ? null : ofLiveThread(threads[i]);
            if (earlier != null) {
                earlier.takeOver(steps[i]);
            } else {
                restored.put(threads[i], steps[i]);
            }
        }
    }

    private @Nullable CallJournal ofLiveThread(String name) {
        for (Map.Entry<Thread, CallJournal> entry : byThread.entrySet()) {
            if (entry.getKey().getName().equals(name)) {
                return entry.getValue();
            }
        }
        return null;
    }
}
