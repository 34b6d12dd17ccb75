package org.gridmpj.transport.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What has come from one peer since its last committed cut: by context the highest number, and a hash of each message (8
 * bytes each), so that what the peer sends again is known again and compared. Guarded by the progress lock.
 */
final class MessageHistory {
    /** A rendezvous message whose data is here. */
    record Data(long contextId, long messageId) {}

    /** Messages of one context: numbers from {@code base} to {@code base + count − 1} have a hash. */
    private static final class Context {
        long base;
        int count;
        long[] hashes = new long[8];

        Context(long base) {
            this.base = base;
        }

        long highest() {
            return base + count - 1;
        }

        void add(long hash) {
            if (count == hashes.length) {
                hashes = Arrays.copyOf(hashes, 2 * count);
            }
            hashes[count++] = hash;
        }

        void forgetUpTo(long messageId) {
            int gone = (int) Math.min(count, messageId - base + 1);
            if (gone > 0) {
                System.arraycopy(hashes, gone, hashes, 0, count - gone);
                base += gone;
                count -= gone;
            }
        }
    }

    /** How far each context was when the peer's marker came. */
    private record Mark(int epoch, Map<Long, Long> highest, Map<Data, Long> dataBefore) {}

    private final Map<Long, Context> contexts = new HashMap<>();
    private final List<Mark> marks = new ArrayList<>();
    private Map<Data, Long> data = new HashMap<>();
    private long lastId;
    private @Nullable Context last;

    private @Nullable Context context(long contextId) {
        if (last == null || lastId != contextId) {
            lastId = contextId;
            last = contexts.get(contextId);
        }
        return last;
    }

    /** Whether a message was announced to the engine before. */
    boolean knows(long contextId, long messageId) {
        Context context = context(contextId);
        return context != null && messageId <= context.highest();
    }

    /** Whether this message is the next of its context; the first that comes of one always is. */
    boolean isNext(long contextId, long messageId) {
        Context context = context(contextId);
        return context == null || messageId == context.highest() + 1;
    }

    /** The next message of a context is here. */
    void add(long contextId, long messageId, long hash) {
        Context context = context(contextId);
        if (context == null) {
            context = new Context(messageId);
            contexts.put(contextId, context);
            last = context;
        }
        context.add(hash);
    }

    /** Whether a message that comes again has the hash of the first time; a message of before the cut must not come again. */
    boolean isSame(long contextId, long messageId, long hash) {
        Context context = context(contextId);
        return context != null
                && messageId >= context.base
                && messageId <= context.highest()
                && context.hashes[(int) (messageId - context.base)] == hash;
    }

    void addData(long contextId, long messageId, long hash) {
        data.put(new Data(contextId, messageId), hash);
    }

    /** As {@link #isSame}, for the data of a rendezvous message. */
    boolean isSameData(long contextId, long messageId, long hash) {
        Data key = new Data(contextId, messageId);
        Long known = data.get(key);
        for (int i = marks.size() - 1; known == null && i >= 0; i--) {
            known = marks.get(i).dataBefore.get(key);
        }
        return known != null && known == hash;
    }

    /** The peer's marker of an epoch has come. */
    void marker(int epoch) {
        Map<Long, Long> highest = new HashMap<>();
        contexts.forEach((contextId, context) -> highest.put(contextId, context.highest()));
        marks.add(new Mark(epoch, highest, data));
        data = new HashMap<>();
    }

    /** An epoch is committed: what came before the peer's marker does not come again. */
    void committed(int epoch) {
        for (Iterator<Mark> each = marks.iterator(); each.hasNext(); ) {
            Mark mark = each.next();
            if (mark.epoch > epoch) {
                return;
            }
            each.remove();
            if (mark.epoch == epoch) {
                mark.highest.forEach((contextId, highest) -> {
                    Context context = contexts.get(contextId);
                    if (context != null) {
                        context.forgetUpTo(highest);
                    }
                });
            }
        }
    }

    /** Sees how far each context is. */
    interface Visitor {
        void highest(long contextId, long messageId);
    }

    void forEach(Visitor visitor) {
        contexts.forEach((contextId, context) -> visitor.highest(contextId, context.highest()));
    }

    /** How many frames have come behind the marker of a committed epoch: so many come again if the peer goes back to it. */
    int countSince(int epoch) {
        int count = dataSince(epoch).size();
        for (Context context : contexts.values()) {
            count += context.count;
        }
        return count;
    }

    /** The rendezvous messages whose data came behind the marker of an epoch. */
    List<Data> dataSince(int epoch) {
        List<Data> since = new ArrayList<>(data.keySet());
        for (Mark mark : marks) {
            if (mark.epoch > epoch) {
                since.addAll(mark.dataBefore.keySet());
            }
        }
        return since;
    }
}
