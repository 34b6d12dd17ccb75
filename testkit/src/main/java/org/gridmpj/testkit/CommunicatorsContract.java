package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.gridmpj.coll.Collectives;
import org.gridmpj.comm.CartesianTopology;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.CommunicatorCreation;
import org.gridmpj.comm.GraphTopology;
import org.gridmpj.comm.Group;
import org.gridmpj.comm.IntercommCreation;
import org.gridmpj.comm.Keyval;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.Request;
import org.gridmpj.pt2pt.SendMode;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Creating, joining, comparing and freeing communicators, over any transport. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class CommunicatorsContract {
    private static final long SEED = Long.getLong("gridmpj.seed", 20_261_121L);
    private static final TypeMap INT = TypeMap.of(BaseType.INT);

    /** The network of one run. */
    protected abstract TransportProvider transport();

    private void run(int processes, LocalCluster.RankProgram program) {
        LocalCluster.run(processes, transport(), program);
    }

    private static Communicator required(@Nullable Communicator communicator) {
        return Objects.requireNonNull(communicator, "the process got no communicator");
    }

    /** The sum of all world ranks of a communicator, by a collective: shows that it works and who is in it. */
    private static int sumOfWorldRanks(Communicator communicator) {
        int[] sum = new int[1];
        int[] own = {communicator.group().worldRank(communicator.rank())};
        communicator
                .pointToPoint()
                .await(Collectives.of(communicator).allreduce(own, 0, sum, 0, 1, INT, PredefinedOp.SUM));
        return sum[0];
    }

    @Test
    void shouldHoldAllProcessesInWorldAndOneInSelf() {
        run(4, process -> {
            Communicator world = process.world();
            assertThat(world.size()).isEqualTo(4);
            assertThat(sumOfWorldRanks(world)).isEqualTo(6);
            assertThat(process.self().size()).isEqualTo(1);
            assertThat(sumOfWorldRanks(process.self())).isEqualTo(world.rank());
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void shouldSplitByColourAndKeyWhenTheyAreRandom(int processes) {
        SplittableRandom random = new SplittableRandom(SEED + processes);
        int splits = 10;
        int[][] colors = new int[splits][processes];
        int[][] keys = new int[splits][processes];
        for (int split = 0; split < splits; split++) {
            for (int rank = 0; rank < processes; rank++) {
                colors[split][rank] = random.nextInt(-1, 3);
                keys[split][rank] = random.nextInt(-2, 2);
            }
        }
        run(processes, process -> {
            Communicator world = process.world();
            for (int split = 0; split < splits; split++) {
                int color = colors[split][world.rank()];
                int[] key = keys[split];
                Communicator mine = CommunicatorCreation.split(world, color, key[world.rank()]);
                if (color == Communicator.UNDEFINED) {
                    assertThat(mine).isNull();
                    continue;
                }
                Communicator part = required(mine);
                List<Integer> members = new ArrayList<>();
                for (int rank = 0; rank < processes; rank++) {
                    if (colors[split][rank] == color) {
                        members.add(rank);
                    }
                }
                members.sort(Comparator.comparingInt(rank -> key[rank]));
                assertThat(part.group().worldRanks())
                        .as("seed %d, split %d", SEED, split)
                        .containsExactly(
                                members.stream().mapToInt(Integer::intValue).toArray());
                assertThat(sumOfWorldRanks(part))
                        .isEqualTo(members.stream().mapToInt(Integer::intValue).sum());
                part.free();
            }
        });
    }

    @Test
    void shouldCreateFromAGroupAndGiveNullToOthers() {
        run(5, process -> {
            Communicator world = process.world();
            Group odd = world.group().include(new int[] {3, 1});
            Communicator created = CommunicatorCreation.create(world, odd);
            if (world.rank() % 2 == 1) {
                assertThat(required(created).rank()).isEqualTo(world.rank() == 3 ? 0 : 1);
                assertThat(sumOfWorldRanks(required(created))).isEqualTo(4);
            } else {
                assertThat(created).isNull();
            }
            assertThat(CommunicatorCreation.create(world, Group.EMPTY)).isNull();
        });
    }

    @Test
    void shouldRefuseAGroupWhenItIsNoSubset() {
        run(3, process -> {
            Communicator self = process.self();
            Group other = Group.of((self.group().worldRank(0) + 1) % 3);
            assertThatExceptionOfType(MpiFailure.class)
                    .isThrownBy(() -> CommunicatorCreation.create(self, other))
                    .satisfies(failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.GROUP));
        });
    }

    @Test
    void shouldKeepMessagesApartWhenOneCommunicatorIsADuplicate() {
        run(2, process -> {
            Communicator world = process.world();
            Communicator duplicate = CommunicatorCreation.dup(world);
            assertThat(duplicate.compare(world)).isEqualTo(Group.Comparison.CONGRUENT);
            assertThat(world.compare(world)).isEqualTo(Group.Comparison.IDENT);
            PointToPoint pointToPoint = world.pointToPoint();
            if (world.rank() == 0) {
                int[] data = {1, 2};
                Request inWorld = send(pointToPoint, data, 0, world.pointToPointContext());
                Request inDuplicate = send(pointToPoint, data, 1, duplicate.pointToPointContext());
                pointToPoint.await(inWorld);
                pointToPoint.await(inDuplicate);
            } else {
                MessageStatus status = new MessageStatus();
                int[] data = new int[2];
                int any = PointToPoint.ANY_TAG;
                pointToPoint.receive(data, 0, 1, INT, 0, duplicate.pointToPointContext(), any, false, status);
                pointToPoint.receive(data, 1, 1, INT, 0, world.pointToPointContext(), any, false, status);
                assertThat(data).containsExactly(2, 1);
            }
        });
    }

    private static Request send(PointToPoint pointToPoint, int[] data, int offset, long contextId) {
        return pointToPoint.isend(SendMode.STANDARD, data, offset, 1, INT, 1, contextId, 9);
    }

    @Test
    void shouldCopyAttributesAsTheirCallbacksSayWhenDuplicating() {
        run(1, process -> {
            Communicator world = process.world();
            List<String> deleted = new ArrayList<>();
            Keyval shared = new Keyval(Keyval.DUP, (owner, keyval, value) -> deleted.add("shared " + value));
            Keyval own = new Keyval(Keyval.NULL_COPY, Keyval.NULL_DELETE);
            Keyval counted = new Keyval((from, keyval, value) -> (Integer) value + 1, (owner, keyval, value) -> {
                deleted.add("counted " + value);
            });
            Communicator first = CommunicatorCreation.dup(world);
            first.attributes().put(first, shared, "x");
            first.attributes().put(first, own, "y");
            first.attributes().put(first, counted, 1);
            Communicator second = CommunicatorCreation.dup(first);
            assertThat(second.attributes().get(shared)).isEqualTo("x");
            assertThat(second.attributes().get(own)).isNull();
            assertThat(second.attributes().get(counted)).isEqualTo(2);
            second.free();
            assertThat(deleted).containsExactly("counted 2", "shared x");
            assertThatExceptionOfType(MpiFailure.class).isThrownBy(second::free);
            assertThat(first.attributes().delete(first, own)).isTrue();
            assertThat(first.attributes().delete(first, own)).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7})
    void shouldJoinAndMergeTwoGroups(int processes) {
        run(processes, process -> {
            Communicator world = process.world();
            boolean low = world.rank() < processes / 2;
            Communicator local = required(CommunicatorCreation.split(world, low ? 0 : 1, -world.rank()));
            // Keys turn the order around: the leader, rank 1 or 0, is not the lowest world rank.
            int lowLeader = processes / 2 - 1;
            int highLeader = processes - 1;
            Communicator inter = IntercommCreation.create(local, 0, world, low ? highLeader : lowLeader, 5);
            assertThat(inter.isInter()).isTrue();
            assertThat(inter.group().isIdentical(local.group())).isTrue();
            int[] others = new int[inter.peerGroup().size()];
            Arrays.setAll(others, i -> (low ? highLeader : lowLeader) - i);
            assertThat(inter.peerGroup().worldRanks()).containsExactly(others);
            int[] all = world.group().worldRanks();
            int sum = Arrays.stream(all).sum();
            for (boolean lowIsHigh : new boolean[] {false, true}) {
                Communicator merged = IntercommCreation.merge(inter, low == lowIsHigh);
                assertThat(merged.isInter()).isFalse();
                assertThat(merged.group().worldRank(0)).isEqualTo(lowIsHigh ? highLeader : lowLeader);
                assertThat(merged.group().isSimilar(world.group())).isTrue();
                assertThat(sumOfWorldRanks(merged)).isEqualTo(sum);
            }
            Communicator alike = IntercommCreation.merge(inter, false);
            assertThat(sumOfWorldRanks(alike)).isEqualTo(sum);
            Communicator duplicate = CommunicatorCreation.dup(inter);
            assertThat(duplicate.compare(inter)).isEqualTo(Group.Comparison.CONGRUENT);
            assertThat(duplicate.compare(world)).isEqualTo(Group.Comparison.UNEQUAL);
            duplicate.free();
        });
    }

    @Test
    void shouldRefuseToJoinGroupsThatOverlap() {
        run(1, process -> {
            Communicator world = process.world();
            assertThatExceptionOfType(MpiFailure.class)
                    .isThrownBy(() -> IntercommCreation.create(process.self(), 0, world, 0, 5))
                    .satisfies(failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.COMM));
        });
    }

    @Test
    void shouldArrangeProcessesOnAGridAndTakeItsRows() {
        run(7, process -> {
            Communicator world = process.world();
            CartesianTopology grid = new CartesianTopology(new int[] {2, 3}, new boolean[] {false, true});
            Communicator mine = CommunicatorCreation.cartesian(world, grid);
            if (world.rank() == 6) {
                assertThat(mine).isNull();
                return;
            }
            Communicator arranged = required(mine);
            assertThat(arranged.topology()).isEqualTo(grid);
            assertThat(CommunicatorCreation.dup(arranged).topology()).isEqualTo(grid);
            Communicator row = CommunicatorCreation.cartesianSub(arranged, new boolean[] {false, true});
            assertThat(row.size()).isEqualTo(3);
            assertThat(row.rank()).isEqualTo(world.rank() % 3);
            assertThat(sumOfWorldRanks(row)).isEqualTo(world.rank() < 3 ? 3 : 12);
            Communicator point = CommunicatorCreation.cartesianSub(arranged, new boolean[] {false, false});
            assertThat(point.size()).isEqualTo(1);
            assertThatExceptionOfType(MpiFailure.class)
                    .isThrownBy(() -> CommunicatorCreation.cartesian(
                            arranged, new CartesianTopology(new int[] {7}, new boolean[] {false})))
                    .satisfies(failure -> assertThat(failure.errorClass()).isEqualTo(ErrorClass.DIMS));
        });
    }

    @Test
    void shouldArrangeProcessesAsAGraph() {
        run(3, process -> {
            Communicator world = process.world();
            GraphTopology graph = new GraphTopology(new int[] {1, 2}, new int[] {1, 0});
            Communicator arranged = CommunicatorCreation.graph(world, graph);
            if (world.rank() < 2) {
                assertThat(required(arranged).topology()).isEqualTo(graph);
                assertThat(sumOfWorldRanks(required(arranged))).isEqualTo(1);
            } else {
                assertThat(arranged).isNull();
            }
        });
    }

    @Test
    void shouldComputeTheSameContextsWhenTheProgramRunsAgain() {
        List<Long> first = contexts();
        List<Long> again = contexts();
        assertThat(again).isEqualTo(first);
        assertThat(first).doesNotHaveDuplicates();
    }

    private List<Long> contexts() {
        List<Long> atRankOne = Collections.synchronizedList(new ArrayList<>());
        run(3, process -> {
            Communicator world = process.world();
            Communicator part = required(CommunicatorCreation.split(world, world.rank() == 0 ? 0 : 1, 0));
            Communicator duplicate = CommunicatorCreation.dup(part);
            Communicator inter = IntercommCreation.create(part, 0, world, world.rank() == 0 ? 1 : 0, 3);
            Communicator merged = IntercommCreation.merge(inter, world.rank() == 0);
            if (world.rank() == 1) {
                for (Communicator each : List.of(world, process.self(), part, duplicate, inter, merged)) {
                    atRankOne.add(each.pointToPointContext());
                    atRankOne.add(each.collectiveContext());
                }
            }
        });
        return List.copyOf(atRankOne);
    }
}
