import mpi.*;

/**
 * Master and workers: tasks to whoever asks next, with wildcards (ANY_SOURCE, ANY_TAG) or, if the second argument is waitany,
 * with a receive posted for each worker and Waitany, or, if it is poll, with Iprobe, Test, Testany, Testsome and Cancel. Prints
 * all along who was first, and how often there was nothing, which is another order each time, and in the end a line that does
 * not depend on it.
 */
public class Farm {
    public static void main(String[] args) throws Exception {
        String[] user = MPI.Init(args);
        int tasks = Integer.parseInt(user[0]);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        String style = user.length > 1 ? user[1] : "";
        if (rank == 0 && style.equals("poll")) {
            pollingMaster(tasks, size - 1);
        } else if (rank == 0) {
            master(tasks, size - 1, style.equals("waitany"));
        } else {
            worker(rank, style.equals("poll"));
        }
        MPI.COMM_WORLD.Barrier();
        MPI.Finalize();
    }

    private static void master(int tasks, int workers, boolean waitany) throws Exception {
        long[] result = new long[2];
        long[][] results = new long[workers + 1][2];
        Request[] asked = new Request[waitany ? workers + 1 : 0];
        for (int worker = 1; worker < asked.length; worker++) {
            asked[worker] = MPI.COMM_WORLD.Irecv(results[worker], 0, 2, MPI.LONG, worker, MPI.ANY_TAG);
        }
        long sum = 0;
        long order = 0;
        int next = 0;
        int working = workers;
        int come = 0;
        while (working > 0) {
            int source;
            if (waitany) {
                source = Request.Waitany(asked).index;
                result = results[source];
            } else {
                source = MPI.COMM_WORLD.Recv(result, 0, 2, MPI.LONG, MPI.ANY_SOURCE, MPI.ANY_TAG).source;
            }
            sum += result[1];
            order = order * 31 + source;
            if (++come % 20 == 0) {
                System.out.println("after " + come + " answers: " + Long.toHexString(order));
            }
            long[] task = {next < tasks ? next++ : -1};
            working -= task[0] < 0 ? 1 : 0;
            if (waitany) {
                asked[source] = task[0] < 0 ? null : MPI.COMM_WORLD.Irecv(result, 0, 2, MPI.LONG, source, MPI.ANY_TAG);
            }
            MPI.COMM_WORLD.Send(task, 0, 1, MPI.LONG, source, 1);
        }
        System.out.println(tasks + " tasks: " + sum);
    }

    /** Each answer is found in another way; what is printed depends on how often nothing was found. */
    private static void pollingMaster(int tasks, int workers) throws Exception {
        long sum = 0;
        long order = 0;
        int next = 0;
        int working = workers;
        int come = 0;
        while (working > 0) {
            long[] result = new long[2];
            long idle = 0;
            int source = -1;
            if (come % 3 == 0) {
                Status found = MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG);
                while (found == null) {
                    idle = nothing(idle);
                    found = MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG);
                }
                source = MPI.COMM_WORLD.Recv(result, 0, 2, MPI.LONG, found.source, found.tag).source;
            } else {
                Request[] asked = {MPI.COMM_WORLD.Irecv(result, 0, 2, MPI.LONG, MPI.ANY_SOURCE, MPI.ANY_TAG)};
                while (source < 0) {
                    Status[] some = come % 3 == 1 ? Request.Testsome(asked) : null;
                    Status found = come % 3 == 1 ? some.length > 0 ? some[0] : null : Request.Testany(asked);
                    source = found == null ? -1 : found.source;
                    idle = found == null ? nothing(idle) : idle;
                }
            }
            sum += result[1];
            order = (order * 31 + source) * 31 + idle;
            if (++come % 20 == 0) {
                System.out.println("after " + come + " answers: " + Long.toHexString(order));
            }
            if (come % 50 == 0) {
                Request nobody = MPI.COMM_WORLD.Irecv(result, 0, 2, MPI.LONG, MPI.ANY_SOURCE, 999_999);
                nobody.Cancel();
                sum += nobody.Wait().Test_cancelled() ? 0 : 1_000_000;
            }
            long[] task = {next < tasks ? next++ : -1};
            working -= task[0] < 0 ? 1 : 0;
            MPI.COMM_WORLD.Send(task, 0, 1, MPI.LONG, source, 1);
        }
        System.out.println(tasks + " tasks: " + sum);
    }

    /** Shown, now and then: it is seen by who has seen nothing yet. */
    private static long nothing(long idle) {
        if (idle == 5_000) {
            System.out.println("nothing to do");
        }
        return idle + 1;
    }

    private static void worker(int rank, boolean polls) throws Exception {
        long[] answer = {-1, 0};
        long[] task = new long[1];
        while (true) {
            MPI.COMM_WORLD.Send(answer, 0, 2, MPI.LONG, 0, rank);
            if (polls) {
                Request asked = MPI.COMM_WORLD.Irecv(task, 0, 1, MPI.LONG, 0, 1);
                for (Status given = asked.Test(); given == null; given = asked.Test()) {
                    Thread.sleep(1);
                }
            } else {
                MPI.COMM_WORLD.Recv(task, 0, 1, MPI.LONG, 0, 1);
            }
            if (task[0] < 0) {
                return;
            }
            Thread.sleep(1 + task[0] * 7 % 5);
            answer[0] = task[0];
            answer[1] = task[0] * task[0] % 1009;
        }
    }
}
