package org.gridmpj.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.junit.jupiter.api.Test;

final class TypeMapTest {
    private static final TypeMap INT = TypeMap.of(BaseType.INT);

    @Test
    void shouldHaveOneElementWhenPredefined() {
        for (BaseType base : BaseType.values()) {
            TypeMap type = TypeMap.of(base);
            assertThat(type.base()).isEqualTo(base);
            assertThat(type.size()).isEqualTo(1);
            assertThat(type.extent()).isEqualTo(1);
            assertThat(type.isContiguous()).isTrue();
            assertThat(BaseType.of(base.code())).isEqualTo(base);
        }
    }

    @Test
    void shouldFollowTheDefinitionWhenConstructorsAreNested() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            RandomTypes.Naive naive = RandomTypes.random(random, BaseType.INT, 1 + random.nextInt(4));
            TypeMap map = naive.map();
            List<Integer> displacements = new ArrayList<>();
            for (int run = 0; run < map.runCount(); run++) {
                assertThat(map.elementsBefore(run)).isEqualTo(displacements.size());
                for (int i = 0; i < map.runLength(run); i++) {
                    assertThat(map.runOf(displacements.size())).isEqualTo(run);
                    displacements.add(map.runStart(run) + i);
                }
            }
            assertThat(displacements).as("seed %d: %s", seed, map).isEqualTo(naive.displacements());
            assertThat(map.size())
                    .as("seed %d", seed)
                    .isEqualTo(naive.displacements().size());
            assertThat(map.lowerBound()).as("seed %d", seed).isEqualTo(naive.lower());
            assertThat(map.upperBound()).as("seed %d", seed).isEqualTo(naive.upper());
        }
    }

    @Test
    void shouldJoinRunsWhenBlocksAreAdjacent() {
        assertThat(TypeMap.contiguous(1_000_000_000, INT).runCount()).isEqualTo(1);
        assertThat(TypeMap.vector(3, 4, 4, INT).isContiguous()).isTrue();
        assertThat(TypeMap.vector(3, 4, 5, INT).runCount()).isEqualTo(3);
    }

    @Test
    void shouldKeepBoundsSetByMarkersWhenNestedFurther() {
        TypeMap resized = TypeMap.struct(new int[] {1, 1, 1}, new int[] {-3, 0, 6}, new TypeMap[] {
            TypeMap.lowerBoundMarker(), INT, TypeMap.upperBoundMarker()
        });
        assertThat(resized.lowerBound()).isEqualTo(-3);
        assertThat(resized.extent()).isEqualTo(9);
        // the standard's own example: {(lb,-3), (int,0), (ub,6)} twice
        TypeMap twice = TypeMap.contiguous(2, resized);
        assertThat(twice.lowerBound()).isEqualTo(-3);
        assertThat(twice.upperBound()).isEqualTo(15);
        assertThat(twice.runStart(1)).isEqualTo(9);
        TypeMap mixed = TypeMap.struct(new int[] {1, 1}, new int[] {0, 100}, new TypeMap[] {resized, INT});
        assertThat(mixed.upperBound()).isEqualTo(6);
    }

    @Test
    void shouldBeEmptyWhenCountIsZero() {
        TypeMap empty = TypeMap.contiguous(0, INT);
        assertThat(empty.size()).isZero();
        assertThat(empty.extent()).isZero();
        assertThat(TypeMap.contiguous(5, empty).size()).isZero();
    }

    @Test
    void shouldRefuseWhenArgumentsMakeNoType() {
        assertFailure(ErrorClass.COUNT, () -> TypeMap.contiguous(-1, INT));
        assertFailure(ErrorClass.ARG, () -> TypeMap.indexed(new int[] {1, 2}, new int[] {1}, INT));
        assertFailure(ErrorClass.ARG, () -> TypeMap.vector(3, 1, Integer.MAX_VALUE, INT));
        assertFailure(ErrorClass.ARG, () -> TypeMap.contiguous(3, TypeMap.contiguous(1_000_000_000, INT)));
        assertFailure(
                ErrorClass.TYPE,
                () -> TypeMap.struct(
                        new int[] {1, 1}, new int[] {0, 1}, new TypeMap[] {INT, TypeMap.of(BaseType.LONG)}));
        assertFailure(ErrorClass.TYPE, () -> TypeMap.lowerBoundMarker().base());
    }

    private static void assertFailure(ErrorClass errorClass, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        MpiFailure.class, e -> assertThat(e.errorClass()).isEqualTo(errorClass));
    }
}
