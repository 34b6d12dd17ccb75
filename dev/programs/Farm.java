import mpi.*;

/**
 * Master and workers with wildcards: tasks to whoever asks next (ANY_SOURCE, ANY_TAG). Prints all along who was first, which
 * is another order each time, and in the end a line that does not depend on it.
 */
public class Farm {
    public static void main(String[] args) throws Exception {
        String[] user = MPI.Init(args);
        int tasks = Integer.parseInt(user[0]);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        if (rank == 0) {
            master(tasks, size - 1);
        } else {
            worker(rank);
        }
        MPI.COMM_WORLD.Barrier();
        MPI.Finalize();
    }

    private static void master(int tasks, int workers) throws Exception {
        long[] result = new long[2];
        long sum = 0;
        long order = 0;
        int next = 0;
        int working = workers;
        int come = 0;
        while (working > 0) {
            Status status = MPI.COMM_WORLD.Recv(result, 0, 2, MPI.LONG, MPI.ANY_SOURCE, MPI.ANY_TAG);
            sum += result[1];
            order = order * 31 + status.source;
            if (++come % 20 == 0) {
                System.out.println("after " + come + " answers: " + Long.toHexString(order));
            }
            long[] task = {next < tasks ? next++ : -1};
            working -= task[0] < 0 ? 1 : 0;
            MPI.COMM_WORLD.Send(task, 0, 1, MPI.LONG, status.source, 1);
        }
        System.out.println(tasks + " tasks: " + sum);
    }

    private static void worker(int rank) throws Exception {
        long[] answer = {-1, 0};
        long[] task = new long[1];
        while (true) {
            MPI.COMM_WORLD.Send(answer, 0, 2, MPI.LONG, 0, rank);
            MPI.COMM_WORLD.Recv(task, 0, 1, MPI.LONG, 0, 1);
            if (task[0] < 0) {
                return;
            }
            Thread.sleep(1 + task[0] * 7 % 5);
            answer[0] = task[0];
            answer[1] = task[0] * task[0] % 1009;
        }
    }
}
