package org.gridmpj.capture.heap;

import jdk.internal.misc.Unsafe;

/**
 * Identity hash codes of an image's objects. The JVM invents them, and a program sees them: in the order of tables and of
 * their iterators, in {@code Object.toString}. So an object that is made of an image gets the one that it had, in its header,
 * where the JVM would write the one that it invents: by the same atomic instruction, and only where it has none yet.
 *
 * <p>Objects that this process has made itself, such as classes and enum constants, may have another already.
 */
final class IdentityHashes {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private static final long HEADER = 0;
    private static final long HASH_MASK = 0x7fff_ffffL;
    /** What the lowest bits of a header are when nobody has locked the object. */
    private static final long UNLOCKED = 0b01;

    private static final long LOCK_MASK = 0b11;
    private static final int TRIALS = 16;

    /** Where the code lies in a header, in bits; −1 if this JVM has it elsewhere. */
    private static final int SHIFT = shift();

    private IdentityHashes() {}

    /** Gives an object that code, if it can be given; whether it has it now. */
    static boolean install(Object object, int hash) {
        while (SHIFT >= 0) {
            long header = UNSAFE.getLongVolatile(object, HEADER);
            if ((header & LOCK_MASK) != UNLOCKED || (header >>> SHIFT & HASH_MASK) != 0) {
                break;
            }
            if (UNSAFE.compareAndSetLong(object, HEADER, header, header | (long) hash << SHIFT)) {
                break;
            }
        }
        return System.identityHashCode(object) == hash;
    }

    /** Found by asking: the bits of the headers of new objects that are their codes, none of which is set before. */
    private static int shift() {
        long fits = -1L;
        for (int trial = 0; trial < TRIALS; trial++) {
            Object object = new Object();
            long before = UNSAFE.getLongVolatile(object, HEADER);
            int hash = System.identityHashCode(object);
            long after = UNSAFE.getLongVolatile(object, HEADER);
            long here = 0;
            for (int shift = 0; shift <= Long.SIZE - 31; shift++) {
                if ((before >>> shift & HASH_MASK) == 0 && after == (before | (long) hash << shift)) {
                    here |= 1L << shift;
                }
            }
            fits &= here;
        }
        return Long.bitCount(fits) == 1 ? Long.numberOfTrailingZeros(fits) : -1;
    }
}
