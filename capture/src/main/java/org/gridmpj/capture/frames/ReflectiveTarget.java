package org.gridmpj.capture.frames;

import org.jspecify.annotations.Nullable;

/**
 * Calls one method or constructor of the program as reflection would, but from a frame that can be captured: a method that
 * the agent has put beside it. Found by {@link ReflectiveCalls}.
 */
@FunctionalInterface
public interface ReflectiveTarget {
    /**
     * Calls it.
     *
     * @param receiver of an instance method
     * @param arguments of exactly the types that it has, primitive ones boxed
     */
    @Nullable
    Object call(@Nullable Object receiver, @Nullable Object @Nullable [] arguments) throws Throwable;
}
