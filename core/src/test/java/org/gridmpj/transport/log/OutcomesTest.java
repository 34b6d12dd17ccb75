package org.gridmpj.transport.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a rank records, hands to its holder, and follows when it has gone back. */
class OutcomesTest {
    private static final long CONTEXT = 7;

    private final List<String> said = new ArrayList<>();
    private final Outcomes outcomes = outcomes();
    private final HeldDeterminants holder = new HeldDeterminants();

    private Outcomes outcomes() {
        return outcomes(1);
    }

    private Outcomes outcomes(int... holderRanks) {
        RecoveryListener listener = new RecoveryListener() {
            @Override
            public void diverged(String what) {
                said.add("diverged: " + what);
            }

            @Override
            public void caughtUp(int nextEpoch) {
                said.add("caught up");
            }

            @Override
            public void logLost(int latestEpoch, String why) {
                said.add("lost since " + latestEpoch);
            }
        };
        return new Outcomes(listener, () -> 5, LogRules.ALL, holderRanks);
    }

    private void receive(int sourceRank, long messageId) {
        outcomes.received(outcomes.nextReceive(), sourceRank, CONTEXT, messageId);
    }

    private void handOver() {
        while (outcomes.haveUnsent(1)) {
            DeterminantRun run = outcomes.unsent(1);
            outcomes.sent(1, run);
            holder.take(DeterminantRun.decode(run.encode()));
        }
    }

    @Test
    void shouldRecordNothingBeforeTheFirstCut() {
        receive(1, 1);
        assertThat(outcomes.haveUnsent(1)).isFalse();
        assertThat(outcomes.areHeld(outcomes.toBeHeld())).isTrue();
    }

    @Test
    void shouldBeHeldOnlyWhenTheHolderSaysSo() {
        outcomes.cut(0);
        receive(1, 1);
        assertThat(outcomes.areHeld(outcomes.toBeHeld())).isFalse();
        handOver();
        assertThat(outcomes.areHeld(outcomes.toBeHeld())).isFalse();
        outcomes.holders().heldUpTo(1, holder.end());
        assertThat(outcomes.areHeld(outcomes.toBeHeld())).isTrue();
        assertThat(outcomes.heldCount()).isEqualTo(1);
    }

    @Test
    void shouldBeDroppedWhenTheCutBehindThemIsCommitted() {
        outcomes.cut(0);
        receive(1, 1);
        receive(2, 1);
        outcomes.cut(1);
        receive(1, 2);
        handOver();
        assertThat(holder.all().determinants()).hasSize(3);
        outcomes.committed(1);
        receive(1, 3);
        handOver();
        assertThat(holder.all().first()).isEqualTo(2);
        assertThat(holder.all().determinants())
                .extracting(Determinant::messageId)
                .containsExactly(2L, 3L);
    }

    @Test
    void shouldGiveAHolderThatBeginsAnewAllAgain() {
        outcomes.cut(0);
        receive(1, 1);
        handOver();
        outcomes.holders().heldUpTo(1, holder.end());
        HeldDeterminants anew = new HeldDeterminants();
        outcomes.holderBeginsAnew(1);
        assertThat(outcomes.areHeld(outcomes.toBeHeld())).isFalse();
        receive(2, 1);
        anew.take(outcomes.unsent(1));
        assertThat(anew.all().determinants())
                .extracting(Determinant::sourceRank)
                .containsExactly(1, 2);
    }

    @Test
    void shouldFollowWhatWasHeldAndBeFreeBehindIt() {
        outcomes.cut(0);
        Outcomes.Counters image = outcomes.counters();
        receive(2, 1);
        receive(1, 1);
        handOver();
        Outcomes back = outcomes();
        back.await();
        back.adopt(image);
        assertThat(back.stateIsHere()).isFalse();
        assertThat(back.areAwaited()).isTrue();
        assertThat(back.told(1, holder.all())).isTrue();
        assertThat(back.areAwaited()).isFalse();
        long first = back.nextReceive();
        Determinant before = back.ofReceive(first);
        assertThat(before).isEqualTo(new Determinant(Determinant.Kind.RECEIVE, 0, 2, CONTEXT, 1));
        assertThat(back.isAsBefore(first, 2, CONTEXT, 1)).isTrue();
        assertThat(said).isEmpty();
        assertThat(back.isAsBefore(first, 1, CONTEXT, 1)).isFalse();
        assertThat(said).hasSize(1);
        back.received(first, 2, CONTEXT, 1);
        assertThat(back.areFollowed()).isTrue();
        back.received(back.nextReceive(), 1, CONTEXT, 1);
        assertThat(back.areFollowed()).isFalse();
        assertThat(back.haveUnsent(1)).isFalse();
        long next = back.nextReceive();
        assertThat(back.ofReceive(next)).isNull();
        back.received(next, 1, CONTEXT, 2);
        assertThat(back.haveUnsent(1)).isTrue();
    }

    @Test
    void shouldFollowWhatItIsToldBeforeItHasItsState() {
        outcomes.cut(0);
        Outcomes.Counters image = outcomes.counters();
        outcomes.probed(3, CONTEXT, 9);
        handOver();
        Outcomes back = outcomes();
        back.await();
        assertThat(back.told(1, holder.all())).isFalse();
        back.adopt(image);
        assertThat(back.stateIsHere()).isTrue();
        assertThat(back.ofNextProbe()).isEqualTo(new Determinant(Determinant.Kind.PROBE, 0, 3, CONTEXT, 9));
    }

    private static void handOver(Outcomes from, int holderRank, HeldDeterminants to) {
        DeterminantRun run = from.unsent(holderRank);
        from.sent(holderRank, run);
        to.take(run);
    }

    @Test
    void shouldBeHeldOnlyWhenEveryHolderSaysSo() {
        Outcomes two = outcomes(1, 2);
        two.cut(0);
        two.received(two.nextReceive(), 3, CONTEXT, 1);
        handOver(two, 1, holder);
        two.holders().heldUpTo(1, 1);
        assertThat(two.areHeld(1)).isFalse();
        assertThat(two.mayLeave(1, 1))
                .as("to a holder while the other has nothing")
                .isFalse();
        assertThat(two.mayLeave(2, 1)).as("before what it depends on").isFalse();
        handOver(two, 2, new HeldDeterminants());
        assertThat(two.mayLeave(2, 1)).as("behind what it depends on").isTrue();
        assertThat(two.mayLeave(3, 1)).isFalse();
        two.holders().heldUpTo(2, 1);
        assertThat(two.mayLeave(3, 1)).isTrue();
        assertThat(two.areHeld(1)).isTrue();
    }

    @Test
    void shouldFollowWhatAnyHolderHasAndGiveItToTheOther() {
        Outcomes two = outcomes(1, 2);
        two.cut(0);
        Outcomes.Counters image = two.counters();
        two.received(two.nextReceive(), 3, CONTEXT, 1);
        two.received(two.nextReceive(), 4, CONTEXT, 1);
        handOver(two, 2, holder);
        Outcomes back = outcomes(1, 2);
        back.await();
        back.adopt(image);
        assertThat(back.stateIsHere()).isFalse();
        assertThat(back.told(1, new HeldDeterminants().all())).isFalse();
        assertThat(back.areAwaited()).as("the other one may have some").isTrue();
        assertThat(back.told(2, holder.all())).isTrue();
        assertThat(back.ofReceive(0)).isNotNull();
        assertThat(back.ofReceive(1)).isNotNull();
        assertThat(back.haveUnsent(2)).isFalse();
        assertThat(back.unsent(1).determinants()).isEqualTo(holder.all().determinants());
        assertThat(back.areHeld(2)).isFalse();
        assertThat(back.heldCount()).isZero();
    }

    @Test
    void shouldKnowWhatAHolderHasToldThatHasDiedSince() {
        outcomes.cut(0);
        Outcomes.Counters image = outcomes.counters();
        receive(2, 1);
        handOver();
        Outcomes back = outcomes(1, 2);
        back.await();
        back.adopt(image);
        back.stateIsHere();
        back.told(1, holder.all());
        back.holderBeginsAnew(1);
        assertThat(back.told(1, new HeldDeterminants().all())).isFalse();
        assertThat(back.told(2, new HeldDeterminants().all())).isTrue();
        assertThat(back.ofReceive(0)).isNotNull();
        assertThat(back.unsent(1).determinants()).hasSize(1);
        assertThat(back.unsent(2).determinants()).hasSize(1);
    }

    @Test
    void shouldSayThatDeterminantsAreMissing() {
        outcomes.cut(0);
        Outcomes.Counters image = outcomes.counters();
        receive(1, 1);
        receive(1, 2);
        Outcomes back = outcomes();
        back.await();
        back.adopt(image);
        back.stateIsHere();
        DeterminantRun all = outcomes.unsent(1);
        back.told(1, new DeterminantRun(1, 1, all.determinants().subList(1, 2)));
        assertThat(said).singleElement().asString().contains("determinants are missing");
    }

    @Test
    void shouldSayThatItCannotKeepThemAll() {
        outcomes.cut(0);
        for (int i = 0; i <= Outcomes.MOST_SINCE_A_SNAPSHOT; i++) {
            receive(1, i);
        }
        assertThat(said).containsExactly("lost since 5");
        assertThat(outcomes.areHeld(outcomes.toBeHeld())).isTrue();
        receive(1, 1);
        assertThat(outcomes.haveUnsent(1)).isFalse();
        outcomes.cut(6);
        receive(1, 2);
        assertThat(outcomes.haveUnsent(1)).isTrue();
    }

    private void sayNo(PollOutcomes polls, int times) {
        for (int i = 0; i < times; i++) {
            polls.no();
        }
    }

    /** A rank that has gone back to an image and been told what its holder has. */
    private Outcomes gone(Outcomes.Counters image) {
        handOver();
        Outcomes back = outcomes();
        back.await();
        back.adopt(image);
        back.stateIsHere();
        back.told(1, holder.all());
        return back;
    }

    @Test
    void shouldCountNoesAndRecordThemWhenSomethingLeaves() {
        outcomes.cut(0);
        sayNo(outcomes.polls(), 1_000);
        assertThat(outcomes.haveUnsent(1)).isFalse();
        assertThat(outcomes.toBeHeld()).isEqualTo(1);
        assertThat(outcomes.toBeHeld()).isEqualTo(1);
        assertThat(outcomes.unsent(1).determinants())
                .containsExactly(new Determinant(Determinant.Kind.POLLS_SAID_NO, 1_000, 0, 0, 0));
    }

    @Test
    void shouldLetTheCountGrowUntilItIsSentOrCut() {
        outcomes.cut(0);
        sayNo(outcomes.polls(), 3);
        outcomes.toBeHeld();
        sayNo(outcomes.polls(), 3);
        assertThat(outcomes.toBeHeld()).isEqualTo(1);
        handOver();
        sayNo(outcomes.polls(), 1);
        assertThat(outcomes.toBeHeld()).isEqualTo(2);
        outcomes.cut(1);
        sayNo(outcomes.polls(), 1);
        assertThat(outcomes.toBeHeld()).isEqualTo(3);
        handOver();
        assertThat(holder.all().determinants()).extracting(Determinant::number).containsExactly(6L, 7L, 8L);
    }

    @Test
    void shouldRecordNoesBeforeWhatAReceiveGot() {
        outcomes.cut(0);
        sayNo(outcomes.polls(), 2);
        receive(1, 1);
        assertThat(outcomes.unsent(1).determinants())
                .extracting(Determinant::kind)
                .containsExactly(Determinant.Kind.POLLS_SAID_NO, Determinant.Kind.RECEIVE);
    }

    @Test
    void shouldAnswerPollsAsBeforeAndBeFreeBehindThem() {
        sayNo(outcomes.polls(), 10);
        outcomes.cut(0);
        Outcomes.Counters image = outcomes.counters();
        sayNo(outcomes.polls(), 2);
        outcomes.found(3, CONTEXT, 9);
        outcomes.tested(new int[] {1, 4}, 2);
        sayNo(outcomes.polls(), 1);
        outcomes.toBeHeld();
        sayNo(outcomes.polls(), 5);
        Outcomes back = gone(image);
        PollOutcomes polls = back.polls();
        assertThat(polls.isFree()).isFalse();
        assertThat(polls.ofNext()).isEmpty();
        polls.no();
        assertThat(polls.ofNext()).isEmpty();
        polls.no();
        assertThat(polls.ofNext()).containsExactly(new Determinant(Determinant.Kind.FOUND, 12, 3, CONTEXT, 9));
        back.found(3, CONTEXT, 9);
        assertThat(polls.ofNext()).extracting(Determinant::sourceRank).containsExactly(1, 4);
        back.tested(new int[] {1, 4}, 2);
        assertThat(back.areFollowed()).isTrue();
        assertThat(polls.ofNext()).isEmpty();
        polls.no();
        assertThat(back.areFollowed()).isFalse();
        assertThat(polls.ofNext()).isNull();
        assertThat(polls.isFree()).isTrue();
        assertThat(back.haveUnsent(1)).isFalse();
        polls.no();
        back.tested();
        assertThat(back.unsent(1).determinants())
                .containsExactly(new Determinant(Determinant.Kind.TESTED, 16, 0, 0, 0));
        assertThat(said).isEmpty();
    }

    @Test
    void shouldKnowWhichReceiveIsGoingToBeCancelled() {
        outcomes.cut(0);
        Outcomes.Counters image = outcomes.counters();
        long other = outcomes.nextReceive();
        long cancelled = outcomes.nextReceive();
        outcomes.cancelled(cancelled);
        Outcomes back = gone(image);
        assertThat(back.polls().willBeCancelled(other)).isFalse();
        assertThat(back.polls().willBeCancelled(cancelled)).isTrue();
        back.cancelled(cancelled);
        assertThat(back.polls().willBeCancelled(cancelled)).isFalse();
        assertThat(back.areFollowed()).isFalse();
    }

    @Test
    void shouldAwaitTheRefillUntilAllHasCome() {
        assertThat(outcomes.isRefilling()).isFalse();
        outcomes.await();
        assertThat(outcomes.isRefilling()).isTrue();
        outcomes.refilled();
        assertThat(outcomes.isRefilling()).isFalse();
    }

    @Test
    void shouldKeepTheCodesOfAllKinds() {
        ByteBuffer bytes = ByteBuffer.allocate(Determinant.BYTES * Determinant.Kind.values().length);
        for (Determinant.Kind kind : Determinant.Kind.values()) {
            new Determinant(kind, 1, 2, 3, 4).write(bytes);
        }
        bytes.flip();
        List<Integer> codes = new ArrayList<>();
        for (Determinant.Kind kind : Determinant.Kind.values()) {
            codes.add(bytes.getInt(bytes.position()));
            assertThat(Determinant.read(bytes)).isEqualTo(new Determinant(kind, 1, 2, 3, 4));
        }
        assertThat(codes).containsExactly(1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void shouldKeepTheBytesOfVersionOne() {
        DeterminantRun run = new DeterminantRun(
                3, 2, List.of(new Determinant(Determinant.Kind.PROBE, 4, 5, 6, 0x1122334455667788L)));
        ByteBuffer bytes = ByteBuffer.wrap(run.encode()).order(ByteOrder.nativeOrder());
        ByteBuffer big = ByteBuffer.allocate(bytes.capacity());
        big.putInt(bytes.getInt()).putInt(bytes.getInt());
        big.putLong(bytes.getLong()).putLong(bytes.getLong());
        big.putInt(bytes.getInt()).putInt(bytes.getInt());
        big.putLong(bytes.getLong()).putLong(bytes.getLong()).putLong(bytes.getLong());
        assertThat(HexFormat.of().formatHex(big.array()))
                .isEqualTo("00000001" + "00000001" + "0000000000000003" + "0000000000000002" + "00000002" + "00000005"
                        + "0000000000000004" + "0000000000000006" + "1122334455667788");
        assertThat(DeterminantRun.decode(run.encode())).isEqualTo(run);
        byte[] other = run.encode();
        other[0] ^= 0x40;
        assertThatThrownBy(() -> DeterminantRun.decode(other)).isInstanceOf(IllegalArgumentException.class);
    }
}
