import mpi.*;

/*
 * Ring: a token goes round; every rank adds its number to it. Shows blocking Send and Recv, and why somebody must begin.
 *
 *   ./mpjrun -np 4 examples/Ring.java [laps]
 *
 *   token after 1000 laps of 4 ranks: 6000 ok
 */
public class Ring {
    public static void main(String[] args) {
        String[] user = MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int laps = user.length > 0 ? Integer.parseInt(user[0]) : 1000;
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;

        long[] token = {0};
        for (int lap = 0; lap < laps && size > 1; lap++) {
            if (rank == 0) {
                MPI.COMM_WORLD.Send(token, 0, 1, MPI.LONG, next, lap);
                MPI.COMM_WORLD.Recv(token, 0, 1, MPI.LONG, previous, lap);
            } else {
                MPI.COMM_WORLD.Recv(token, 0, 1, MPI.LONG, previous, lap);
                token[0] += rank;
                MPI.COMM_WORLD.Send(token, 0, 1, MPI.LONG, next, lap);
            }
        }

        if (rank == 0) {
            long expected = (long) laps * size * (size - 1) / 2;
            if (token[0] != expected) {
                throw new IllegalStateException("the token is " + token[0] + " and should be " + expected);
            }
            System.out.println("token after " + laps + " laps of " + size + " ranks: " + token[0] + " ok");
        }
        MPI.Finalize();
    }
}
