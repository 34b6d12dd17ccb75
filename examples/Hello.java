import java.net.InetAddress;
import java.net.UnknownHostException;
import mpi.*;

/*
 * Hello: the smallest program. Every rank sends an object to rank 0, which prints them in rank order.
 *
 *   ./mpjrun -np 4 examples/Hello.java
 *
 *   Hello from rank 0 of 4 on myhost
 *   Hello from rank 1 of 4 on myhost
 *   Hello from rank 2 of 4 on myhost
 *   Hello from rank 3 of 4 on myhost
 *   4 greetings ok
 */
public class Hello {
    public static void main(String[] args) throws UnknownHostException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();

        String[] greeting = {
            "Hello from rank " + rank + " of " + size + " on "
                    + InetAddress.getLocalHost().getHostName()
        };
        if (rank != 0) {
            MPI.COMM_WORLD.Send(greeting, 0, 1, MPI.OBJECT, 0, 99);
        } else {
            System.out.println(greeting[0]);
            for (int source = 1; source < size; source++) {
                MPI.COMM_WORLD.Recv(greeting, 0, 1, MPI.OBJECT, source, 99);
                System.out.println(greeting[0]);
                if (!greeting[0].startsWith("Hello from rank " + source + " of " + size)) {
                    throw new IllegalStateException("the greeting of rank " + source + " is wrong");
                }
            }
            System.out.println(size + " greetings ok");
        }
        MPI.Finalize();
    }
}
