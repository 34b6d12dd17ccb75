package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import mpi.Comm;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import org.gridmpj.error.ErrorClass;

/** Dup, split, create, compare, free; intercommunicators and merge. */
public final class Communicators {
    private Communicators() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        duplicates();
        splits();
        creates();
        self();
        inter();
        assertThat(MPI.COMM_NULL.Is_null()).isTrue();
        Check.fails(ErrorClass.COMM, MPI.COMM_NULL::Size);
        Check.fails(ErrorClass.COMM, MPI.COMM_WORLD::Free, "predefined");
        MPI.Finalize();
    }

    private static void duplicates() {
        Intracomm copy = MPI.COMM_WORLD.clone();
        Intracomm asMpjExpress = (Intracomm) ((Comm) MPI.COMM_WORLD).clone();
        assertThat(Comm.Compare(copy, MPI.COMM_WORLD)).isEqualTo(MPI.CONGRUENT);
        assertThat(Comm.Compare(copy, asMpjExpress)).isEqualTo(MPI.CONGRUENT);
        assertThat(Intracomm.Compare(copy, copy)).isEqualTo(MPI.IDENT);
        int rank = copy.Rank();
        int[] world = {1};
        int[] other = {2};
        // the same tag in two communicators does not mix
        MPI.COMM_WORLD.Isend(world, 0, 1, MPI.INT, rank, 0);
        copy.Isend(other, 0, 1, MPI.INT, rank, 0);
        int[] got = new int[1];
        copy.Recv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
        assertThat(got[0]).isEqualTo(2);
        MPI.COMM_WORLD.Recv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
        assertThat(got[0]).isEqualTo(1);
        copy.Free();
        assertThat(copy.Is_null()).isTrue();
        Check.fails(ErrorClass.COMM, copy::Rank, "freed");
        asMpjExpress.Free();
    }

    private static void splits() {
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        Intracomm half = MPI.COMM_WORLD.Split(rank % 2, -rank);
        int members = (size + 1 - rank % 2) / 2;
        assertThat(half.Size()).isEqualTo(members);
        assertThat(half.Rank()).isEqualTo(members - 1 - rank / 2);
        int[] sum = new int[1];
        half.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
        assertThat(sum[0])
                .isEqualTo(
                        IntStream.range(0, size).filter(r -> r % 2 == rank % 2).sum());
        // a rank of the part is not a rank of the world
        int[] from = new int[1];
        int next = (half.Rank() + 1) % members;
        int before = (half.Rank() + members - 1) % members;
        assertThat(half.Sendrecv(sum, 0, 1, MPI.INT, next, 0, from, 0, 1, MPI.INT, before, 0).source)
                .isEqualTo(before);
        assertThat(MPI.COMM_WORLD.Split(rank == 0 ? 0 : MPI.UNDEFINED, 0) == null)
                .isEqualTo(rank != 0);
    }

    private static void creates() {
        Group world = MPI.COMM_WORLD.Group();
        int size = world.Size();
        Group last = world.Incl(new int[] {size - 1});
        Intracomm alone = MPI.COMM_WORLD.Creat(last);
        assertThat(alone != null).isEqualTo(MPI.COMM_WORLD.Rank() == size - 1);
        Intracomm reversed = MPI.COMM_WORLD.Create(
                world.Incl(IntStream.range(0, size).map(r -> size - 1 - r).toArray()));
        assertThat(reversed.Rank()).isEqualTo(size - 1 - MPI.COMM_WORLD.Rank());
        assertThat(Comm.Compare(reversed, MPI.COMM_WORLD)).isEqualTo(size == 1 ? MPI.CONGRUENT : MPI.SIMILAR);
        assertThat(Comm.Compare(MPI.COMM_SELF, MPI.COMM_WORLD)).isEqualTo(size == 1 ? MPI.CONGRUENT : MPI.UNEQUAL);
    }

    private static void self() {
        Intracomm self = MPI.COMM_SELF;
        assertThat(self.Size()).isEqualTo(1);
        int[] sum = new int[1];
        self.Allreduce(new int[] {4}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
        assertThat(sum[0]).isEqualTo(4);
    }

    private static void inter() {
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        if (size < 2) {
            return;
        }
        boolean upper = rank >= size / 2;
        Intracomm side = MPI.COMM_WORLD.Split(upper ? 1 : 0, rank);
        Intercomm inter = MPI.COMM_WORLD.Create_intercomm(side, 0, upper ? 0 : size / 2, 77);
        int remote = upper ? size / 2 : size - size / 2;
        assertThat(inter.Test_inter()).isTrue();
        assertThat(inter.Remote_size()).isEqualTo(remote);
        assertThat(inter.Remote_group().Size()).isEqualTo(remote);
        assertThat(inter.Rank()).isEqualTo(side.Rank());
        int[] got = new int[1];
        if (inter.Rank() == 0) {
            assertThat(inter.Sendrecv(new int[] {rank}, 0, 1, MPI.INT, 0, 1, got, 0, 1, MPI.INT, 0, 1).source)
                    .isZero();
            assertThat(got[0]).isEqualTo(upper ? 0 : size / 2);
        }
        int[] total = new int[1];
        inter.Allreduce(new int[] {1}, 0, total, 0, 1, MPI.INT, MPI.SUM);
        assertThat(total[0]).isEqualTo(remote);
        int[] word = {upper ? 0 : 42};
        inter.Bcast(word, 0, 1, MPI.INT, upper ? 0 : rank == 0 ? MPI.ROOT : MPI.PROC_NULL);
        assertThat(word[0]).isEqualTo(42);
        Intracomm merged = inter.Merge(!upper);
        assertThat(merged.Size()).isEqualTo(size);
        assertThat(merged.Rank()).isEqualTo(upper ? rank - size / 2 : rank + (size - size / 2));
        assertThat(inter.clone().Remote_size()).isEqualTo(remote);
    }
}
