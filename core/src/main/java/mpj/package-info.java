/**
 * The MPJ names of the 2005 report on message passing over Java sockets and GridTcp, on top of package {@code mpi}: the
 * same calls under {@link mpj.MPJ}, receives that match the datatype too, and a start by hand. The module
 * {@code mpj-default} compiles these sources once more without a package, for programs that import nothing.
 */
package mpj;
