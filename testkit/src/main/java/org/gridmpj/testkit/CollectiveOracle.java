package org.gridmpj.testkit;

import java.lang.reflect.Array;
import java.util.List;
import org.gridmpj.datatype.Reducer;

/** Collectives done naively by one thread that has the buffers of all. */
final class CollectiveOracle {
    private CollectiveOracle() {}

    /** Copies elements one by one from a place in one layout to a place in another. */
    static void move(
            Object from,
            int fromOffset,
            ElementLayout fromLayout,
            Object to,
            int toOffset,
            ElementLayout toLayout,
            int n) {
        for (int element = 0; element < n; element++) {
            Array.set(to, toLayout.index(toOffset, element), Array.get(from, fromLayout.index(fromOffset, element)));
        }
    }

    /** One rank after the other, the lower on the left: the first so many vectors, which all begin at an offset. */
    static Object fold(List<Object> vectors, int offset, int count, ElementLayout layout, Reducer op) {
        Object[] copies = CollectiveCase.copies(vectors.toArray());
        Object result = copies[0];
        for (int rank = 1; rank < copies.length; rank++) {
            op.reduce(result, offset, copies[rank], offset, count, layout.type());
            result = copies[rank];
        }
        return result;
    }
}
