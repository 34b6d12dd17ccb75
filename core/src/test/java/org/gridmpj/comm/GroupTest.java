package org.gridmpj.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.junit.jupiter.api.Test;

class GroupTest {
    private final Group group = Group.of(7, 2, 5, 0);

    private static void assertFails(ErrorClass errorClass, ThrowingCallable call) {
        assertThatExceptionOfType(MpiFailure.class)
                .isThrownBy(call)
                .satisfies(failure -> assertThat(failure.errorClass()).isEqualTo(errorClass));
    }

    @Test
    void shouldFindRanksWhenWorldRanksAreInAnyOrder() {
        assertThat(group.rankOf(7)).isZero();
        assertThat(group.rankOf(0)).isEqualTo(3);
        assertThat(group.rankOf(1)).isEqualTo(Group.UNDEFINED);
        assertThat(group.rankOf(-3)).isEqualTo(Group.UNDEFINED);
        assertThat(group.rankOf(100)).isEqualTo(Group.UNDEFINED);
        assertThat(Group.of(3, 4, 5).rankOf(5)).isEqualTo(2);
        assertThat(Group.of(3, 4, 5).rankOf(2)).isEqualTo(Group.UNDEFINED);
        assertThat(Group.EMPTY.rankOf(0)).isEqualTo(Group.UNDEFINED);
    }

    @Test
    void shouldKeepTheStandardsOrderInSetAlgebra() {
        Group other = Group.of(5, 9, 7);
        assertThat(group.union(other).worldRanks()).containsExactly(7, 2, 5, 0, 9);
        assertThat(group.intersection(other).worldRanks()).containsExactly(7, 5);
        assertThat(group.difference(other).worldRanks()).containsExactly(2, 0);
        assertThat(group.difference(group)).isSameAs(Group.EMPTY);
    }

    @Test
    void shouldIncludeInTheOrderGivenAndExcludeInTheOwn() {
        assertThat(group.include(new int[] {2, 0}).worldRanks()).containsExactly(5, 7);
        assertThat(group.exclude(new int[] {2, 0}).worldRanks()).containsExactly(2, 0);
        assertThat(group.include(new int[0]).size()).isZero();
    }

    @Test
    void shouldExpandRangesWithStridesBothWays() {
        Group ten = Group.consecutive(10, 10);
        assertThat(ten.rangeInclude(new int[][] {{1, 5, 2}, {9, 6, -3}}).worldRanks())
                .containsExactly(11, 13, 15, 19, 16);
        assertThat(ten.rangeExclude(new int[][] {{0, 9, 1}}).size()).isZero();
        assertThat(ten.rangeInclude(new int[][] {{5, 4, 1}}).size()).isZero();
    }

    @Test
    void shouldRefuseRanksThatAreNoMembersOrNamedTwice() {
        assertFails(ErrorClass.RANK, () -> group.include(new int[] {4}));
        assertFails(ErrorClass.RANK, () -> group.include(new int[] {1, 1}));
        assertFails(ErrorClass.RANK, () -> group.exclude(new int[] {-1}));
        assertFails(ErrorClass.RANK, () -> group.rangeInclude(new int[][] {{0, 3, 1}, {0, 0, 1}}));
        assertFails(ErrorClass.ARG, () -> group.rangeInclude(new int[][] {{0, 3, 0}}));
        assertFails(ErrorClass.RANK, () -> group.worldRank(4));
        assertFails(ErrorClass.RANK, () -> Group.of(1, 3, 1));
        assertFails(ErrorClass.RANK, () -> Group.of(-1));
    }

    @Test
    void shouldCompareByMembersAndOrder() {
        assertThat(group.compare(Group.of(7, 2, 5, 0))).isEqualTo(Group.Comparison.IDENT);
        assertThat(group.compare(Group.of(0, 2, 5, 7))).isEqualTo(Group.Comparison.SIMILAR);
        assertThat(group.compare(Group.of(0, 2, 5, 8))).isEqualTo(Group.Comparison.UNEQUAL);
        assertThat(group.compare(Group.EMPTY)).isEqualTo(Group.Comparison.UNEQUAL);
    }

    @Test
    void shouldTranslateRanksToAnotherGroup() {
        assertThat(group.translate(new int[] {0, 1, 3}, Group.of(0, 7))).containsExactly(1, Group.UNDEFINED, 0);
    }
}
