import java.util.Arrays;
import mpi.*;

/** Every kind of blocking call, again and again; the checksum depends on all that comes, in no order of time. */
public class Calls {
    static long sum;

    static void add(Object data) {
        long h = data instanceof long[] l ? Arrays.hashCode(l) : data instanceof double[] d ? Arrays.hashCode(d)
                : data instanceof Object[] o ? Arrays.deepHashCode(o) : data.hashCode();
        sum = sum * 31 + h;
    }

    static long[] data(int n, int rank, int step) {
        long[] d = new long[n];
        for (int i = 0; i < n; i++) d[i] = 1000003L * rank + 31L * step + i;
        return d;
    }

    public static void main(String[] args) throws Exception {
        String[] own = MPI.Init(args);
        int steps = own.length > 0 ? Integer.parseInt(own[0]) : 100;
        Intracomm w = MPI.COMM_WORLD;
        int rank = w.Rank(), size = w.Size(), right = (rank + 1) % size, left = (rank + size - 1) % size;
        long[] pin = new long[500], pout = new long[500];
        Prequest[] persistent = {w.Recv_init(pin, 0, 500, MPI.LONG, left, 90), w.Send_init(pout, 0, 500, MPI.LONG, right, 90)};
        int key = Comm.Keyval_create();
        w.Attr_put(key, 4711);
        long begun = System.nanoTime();
        for (int step = 0; step < steps; step++) {
            int n = new int[] {1, 700, 20_000}[step % 3];
            long[] out = data(n, rank, step), in = new long[n];
            w.Sendrecv(out, 0, n, MPI.LONG, right, 1, in, 0, n, MPI.LONG, left, 1);
            add(in);
            w.Sendrecv_replace(in, 0, n, MPI.LONG, right, 2, left, 2);
            add(in);
            // a wildcard at rank 0, senders in all modes
            if (rank == 0) {
                long all = 0;
                for (int i = 1; i < size; i++) {
                    if (step % 2 == 0) {
                        Status s = w.Probe(MPI.ANY_SOURCE, 3);
                        all += s.Get_count(MPI.LONG);
                    } else {
                        while (w.Iprobe(MPI.ANY_SOURCE, 3) == null) Thread.onSpinWait();
                    }
                    long[] m = new long[n];
                    Status s = w.Recv(m, 0, n, MPI.LONG, MPI.ANY_SOURCE, 3);
                    all += Arrays.hashCode(m) * (long) (1 + s.source);
                }
                add(all);
            } else if (rank % 3 == 1) {
                w.Ssend(out, 0, n, MPI.LONG, 0, 3);
            } else if (rank % 3 == 2) {
                MPI.Buffer_attach(new byte[8 * n + MPI.BSEND_OVERHEAD]);
                w.Bsend(out, 0, n, MPI.LONG, 0, 3);
                add((long) MPI.Buffer_detach().length);
            } else {
                w.Send(out, 0, n, MPI.LONG, 0, 3);
            }
            // pending over other calls
            long[][] r = {new long[n], new long[n]};
            Request[] q = {
                w.Irecv(r[0], 0, n, MPI.LONG, left, 4), w.Irecv(r[1], 0, n, MPI.LONG, right, 5),
                w.Isend(out, 0, n, MPI.LONG, right, 4), w.Issend(out, 0, n, MPI.LONG, left, 5)
            };
            double[] v = {rank + step, 1.0 / (1 + rank)}, t = new double[2], sc = new double[2];
            w.Allreduce(v, 0, t, 0, 2, MPI.DOUBLE, MPI.SUM);
            w.Scan(v, 0, sc, 0, 2, MPI.DOUBLE, MPI.MAX);
            add(t);
            add(sc);
            switch (step % 4) {
                case 0 -> Request.Waitall(q);
                case 1 -> { for (int i = 0; i < 4; i++) if (Request.Waitany(q).index < 0) throw new IllegalStateException(); }
                case 2 -> { for (int done = 0; done < 4; ) done += Request.Waitsome(q).length; }
                default -> { while (Request.Testall(q) == null) Thread.onSpinWait(); }
            }
            add(r);
            for (int i = 0; i < pout.length; i++) pout[i] = rank * 7L + step + i;
            Prequest.Startall(persistent);
            w.Barrier();
            Request.Waitall(persistent);
            add(pin);
            long[] b = step % size == rank ? data(300, rank, step) : new long[300];
            w.Bcast(b, 0, 300, MPI.LONG, step % size);
            add(b);
            long[] g = new long[3 * size];
            w.Gather(out, 0, 1, MPI.LONG, g, 0, 1, MPI.LONG, 0);
            w.Allgather(data(3, rank, step), 0, 3, MPI.LONG, g, 0, 3, MPI.LONG);
            add(g);
            long[] a = data(2 * size, rank, step), c = new long[2 * size];
            w.Alltoall(a, 0, 2, MPI.LONG, c, 0, 2, MPI.LONG);
            add(c);
            int[] counts = new int[size];
            Arrays.fill(counts, 1);
            long[] rs = new long[1];
            w.Reduce_scatter(data(size, rank, step), 0, rs, 0, counts, MPI.LONG, MPI.SUM);
            add(rs);
            Intracomm part = w.Split(rank % 2, -rank);
            long[] k = {rank}, kk = new long[1];
            part.Allreduce(k, 0, kk, 0, 1, MPI.LONG, MPI.SUM);
            add(kk);
            Intracomm dup = w.clone();
            if (dup.Attr_get(key) != 4711) throw new IllegalStateException("attribute");
            if (size > 1) {
                Intercomm inter = dup.Create_intercomm(part, 0, rank % 2 == 0 ? last(size, 1) : last(size, 0), 6);
                Intracomm merged = inter.Merge(rank % 2 == 1);
                merged.Allreduce(k, 0, kk, 0, 1, MPI.LONG, MPI.MAX);
                add(kk);
                merged.Free();
                inter.Free();
            }
            Cartcomm ring = w.Create_cart(new int[] {size}, new boolean[] {true}, false);
            ShiftParms shift = ring.Shift(0, 1);
            Datatype column = Datatype.Vector(5, 1, 2, MPI.LONG);
            long[] m = data(10, rank, step), mm = new long[10];
            ring.Sendrecv(m, 0, 1, column, shift.rank_dest, 7, mm, 0, 1, column, shift.rank_source, 7);
            add(mm);
            Object[] words = {"step " + step, new int[] {rank, step}}, got = new Object[2];
            ring.Sendrecv(words, 0, 2, MPI.OBJECT, right, 8, got, 0, 2, MPI.OBJECT, left, 8);
            add(got);
            double[][] matrix = new double[20][300], theirs = new double[20][];
            matrix[step % 20][rank] = step;
            ring.Sendrecv(matrix, 0, 20, MPI.OBJECT, right, 10, theirs, 0, 20, MPI.OBJECT, left, 10);
            add(theirs);
            byte[] packed = new byte[64];
            int at = w.Pack(k, 0, 1, MPI.LONG, packed, 0);
            w.Sendrecv_replace(packed, 0, at, MPI.PACKED, right, 9, left, 9);
            w.Unpack(packed, 0, kk, 0, 1, MPI.LONG);
            add(kk);
            ring.Free();
            dup.Free();
            part.Free();
        }
        long[] mine = {sum}, total = new long[1];
        w.Reduce(mine, 0, total, 0, 1, MPI.LONG, MPI.BXOR, 0);
        if (rank == 0) System.out.println("checksum " + Long.toHexString(total[0]));
        MPI.Finalize();
    }

    /** World rank of the leader of a colour: its members are in reverse order. */
    static int last(int size, int colour) {
        int r = size - 1;
        while (r % 2 != colour) r--;
        return r;
    }
}
