package org.gridmpj.pt2pt;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Names operations for the peer, which echoes the name: tokens. A token of an operation that has ended finds nothing, so
 * that CTS, acknowledgements and cancel replies may come twice.
 *
 * <p>A token is {@code use ‖ slot + 1}, 32 bits each; never 0. Guarded by the progress lock.
 */
final class OperationTable {
    private @Nullable OperationRecord[] slots = new @Nullable OperationRecord[16];
    private int[] uses = new int[16];
    private int[] free = new int[16];
    private int freeCount;
    private int used;

    long register(OperationRecord operation) {
        int slot;
        if (freeCount > 0) {
            slot = free[--freeCount];
        } else {
            if (used == slots.length) {
                slots = Arrays.copyOf(slots, 2 * used);
                uses = Arrays.copyOf(uses, 2 * used);
                free = Arrays.copyOf(free, 2 * used);
            }
            slot = used++;
        }
        slots[slot] = operation;
        operation.token = ((long) uses[slot] << 32) | (slot + 1);
        return operation.token;
    }

    @Nullable
    OperationRecord find(long token) {
        int slot = (int) token - 1;
        if (slot < 0 || slot >= used || uses[slot] != (int) (token >>> 32)) {
            return null;
        }
        return slots[slot];
    }

    /** Becomes what another one is: peers go on to echo its tokens. */
    void adopt(OperationTable other) {
        slots = other.slots;
        uses = other.uses;
        free = other.free;
        freeCount = other.freeCount;
        used = other.used;
    }

    void release(OperationRecord operation) {
        long token = operation.token;
        if (token == 0) {
            return;
        }
        operation.token = 0;
        int slot = (int) token - 1;
        slots[slot] = null;
        uses[slot]++;
        free[freeCount++] = slot;
    }
}
