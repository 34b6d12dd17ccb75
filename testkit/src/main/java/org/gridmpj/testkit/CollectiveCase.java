package org.gridmpj.testkit;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Objects;
import org.gridmpj.coll.Collectives;
import org.gridmpj.pt2pt.Request;
import org.jspecify.annotations.Nullable;

/**
 * One collective call with the buffers of all ranks and what each must have afterwards. A rank touches only its own
 * buffers, so that one case serves all threads.
 */
final class CollectiveCase {
    /** Starts the collective at one rank with its buffers. */
    @FunctionalInterface
    interface Call {
        Request start(CallWay way, int rank, Object send, Object receive);
    }

    private final String description;
    private final Object[] send;
    private final Object[] sendBefore;
    private final Object[] receive;
    private final Object[] expected;
    private final Call call;

    /** Expected starts as what the receive buffers hold; the oracle then writes into it. */
    CollectiveCase(String description, Object[] send, Object[] receive, Object[] expected, Call call) {
        this.description = description;
        this.send = send;
        this.sendBefore = copies(send);
        this.receive = receive;
        this.expected = expected;
        this.call = call;
    }

    static Object[] copies(Object[] arrays) {
        return Arrays.stream(arrays).map(CollectiveCase::copy).toArray();
    }

    private static Object copy(Object array) {
        int length = Array.getLength(array);
        Object copy = Array.newInstance(array.getClass().getComponentType(), length);
        for (int i = 0; i < length; i++) {
            Object element = Array.get(array, i);
            Array.set(copy, i, element instanceof int[] cell ? cell.clone() : element);
        }
        return copy;
    }

    Request start(Collectives collectives, int rank) {
        return start(new CallWay(collectives, null), rank);
    }

    /** The same, by blocking calls where there are some. */
    Request start(CallWay way, int rank) {
        return call.start(way, rank, send[rank], receive[rank]);
    }

    /** After completion: the received data, the places beside them, and the send buffer unchanged. */
    void check(int rank) {
        requireEqual("receive buffer", rank, expected[rank], receive[rank]);
        requireEqual("send buffer (must not change)", rank, sendBefore[rank], send[rank]);
    }

    private void requireEqual(String what, int rank, Object wanted, Object found) {
        for (int i = 0; i < Array.getLength(wanted); i++) {
            @Nullable Object a = Array.get(wanted, i);
            @Nullable Object b = Array.get(found, i);
            if (!Objects.deepEquals(a, b)) {
                throw new AssertionError(description + ": " + what + " of rank " + rank + " has " + text(b)
                        + " at index " + i + ", should be " + text(a));
            }
        }
    }

    private static String text(@Nullable Object value) {
        return value instanceof int[] cell ? Arrays.toString(cell) : String.valueOf(value);
    }

    @Override
    public String toString() {
        return description;
    }
}
