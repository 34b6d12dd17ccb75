package org.gridmpj.snapshot;

/** Takes the objects of this process that an image names instead of containing them. */
@FunctionalInterface
public interface TokenBinder {
    /**
     * From here on the object is written as this name, and the name is read as the object.
     *
     * @param name the same in each process of the job, unique
     */
    void bind(String name, Object live);
}
