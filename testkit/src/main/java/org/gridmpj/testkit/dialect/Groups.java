package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import mpi.Group;
import mpi.MPI;
import org.gridmpj.error.ErrorClass;

/** The algebra of groups. */
public final class Groups {
    private Groups() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        Group world = MPI.COMM_WORLD.Group();
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        assertThat(world.Rank()).isEqualTo(rank);
        assertThat(world.Size()).isEqualTo(size);

        int[] evenRanks = java.util.stream.IntStream.range(0, size)
                .filter(r -> r % 2 == 0)
                .toArray();
        Group even = world.Incl(evenRanks);
        Group odd = world.Excl(evenRanks);
        assertThat(even.Rank()).isEqualTo(rank % 2 == 0 ? rank / 2 : MPI.UNDEFINED);
        assertThat(even.Size() + odd.Size()).isEqualTo(size);
        assertThat(Group.Compare(even, world.Range_incl(new int[][] {{0, size - 1, 2}})))
                .isEqualTo(MPI.IDENT);
        assertThat(Group.Compare(odd, world.Range_excl(new int[][] {{0, size - 1, 2}})))
                .isEqualTo(MPI.IDENT);
        assertThat(Group.Intersection(even, odd).Size()).isZero();
        assertThat(Group.Compare(Group.Intersection(even, odd), MPI.GROUP_EMPTY))
                .isEqualTo(MPI.IDENT);
        assertThat(Group.Compare(Group.Difference(world, even), odd)).isEqualTo(MPI.IDENT);

        Group both = Group.Union(odd, even);
        assertThat(Group.Compare(both, world)).isEqualTo(size == 1 ? MPI.IDENT : MPI.SIMILAR);
        int[] translated = Group.Translate_ranks(world, new int[] {0, MPI.PROC_NULL}, even);
        assertThat(translated).containsExactly(0, MPI.PROC_NULL);
        assertThat(Group.Translate_ranks(world, evenRanks, odd)).containsOnly(MPI.UNDEFINED);
        assertThat(Arrays.stream(Group.Translate_ranks(even, new int[] {even.Size() - 1}, world))
                        .sum())
                .isEqualTo(evenRanks[evenRanks.length - 1]);

        Check.fails(ErrorClass.RANK, () -> world.Incl(new int[] {size}));
        Check.fails(ErrorClass.RANK, () -> Group.Translate_ranks(world, new int[] {size}, even));
        Check.fails(ErrorClass.GROUP, () -> MPI.GROUP_NULL.Size(), "GROUP_NULL");
        even.free();
        Check.fails(ErrorClass.GROUP, even::Size, "freed");
        MPI.GROUP_EMPTY.free();
        assertThat(MPI.GROUP_EMPTY.Size()).isZero();
        odd.finalize();
        MPI.Finalize();
    }
}
