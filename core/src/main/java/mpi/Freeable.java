package mpi;

/** What a program may give back early; what it forgets is collected. */
public interface Freeable {
    /** Gives it back. Further use is an error. */
    void free();
}
