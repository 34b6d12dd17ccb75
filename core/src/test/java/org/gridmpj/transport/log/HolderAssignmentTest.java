package org.gridmpj.transport.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which ranks hold the determinants of which. */
class HolderAssignmentTest {
    private static final int SEEDS = 2_000;

    private static List<String> hosts(String names) {
        return List.of(names.split(""));
    }

    /** Ranks of so many hosts at random, some filled in order and some not. */
    private static List<String> random(Random random) {
        List<String> hosts = new ArrayList<>();
        int hostCount = 1 + random.nextInt(12);
        for (int host = 0; host < hostCount; host++) {
            hosts.addAll(Collections.nCopies(1 + random.nextInt(8), "h" + host));
        }
        if (random.nextBoolean()) {
            Collections.shuffle(hosts, random);
        }
        return hosts;
    }

    /** For how many others each rank holds. */
    private static int[] loads(List<String> hosts, HolderAssignment holders) {
        int[] loads = new int[hosts.size()];
        for (int rank = 0; rank < loads.length; rank++) {
            holders.of(rank).forEach(holder -> loads[holder]++);
        }
        return loads;
    }

    @ParameterizedTest
    @CsvSource({
        // hosts of ranks 0, 1, …; first and second holders of ranks 0, 1, …
        "aaabbbccc, 345012012, 678678345",
        "abcabc, 153153, 204204",
        "aabb, 2200, 3311",
        "aaab, 3330, 1201",
        "aaaa, 1230, 2301",
        "aab, 220, 101",
        "ab, 10, ''",
        "a, '', ''",
    })
    void shouldAssignTheRanksOfTheNextHosts(String names, String first, String second) {
        List<String> hosts = hosts(names);
        HolderAssignment holders = new HolderAssignment(hosts);
        StringBuilder[] each = {new StringBuilder(), new StringBuilder()};
        for (int rank = 0; rank < hosts.size(); rank++) {
            List<Integer> its = holders.of(rank);
            for (int i = 0; i < its.size(); i++) {
                each[i].append(its.get(i));
            }
        }
        assertThat(each[0]).hasToString(first);
        assertThat(each[1]).hasToString(second);
    }

    @Test
    void shouldFindDistinctHoldersAtOtherHostsWhereThereAreAny() {
        for (int seed = 0; seed < SEEDS; seed++) {
            List<String> hosts = random(new Random(seed));
            int hostCount = new HashSet<>(hosts).size();
            HolderAssignment holders = new HolderAssignment(hosts);
            for (int rank = 0; rank < hosts.size(); rank++) {
                List<Integer> its = holders.of(rank);
                String what = "seed " + seed + ", " + hosts + ", rank " + rank + ": " + its;
                assertThat(its)
                        .as(what)
                        .hasSize(Math.min(HolderAssignment.MOST, hosts.size() - 1))
                        .doesNotHaveDuplicates()
                        .doesNotContain(rank);
                Set<String> known = new HashSet<>(List.of(hosts.get(rank)));
                its.forEach(holder -> known.add(hosts.get(holder)));
                assertThat(known).as(what).hasSize(Math.min(1 + HolderAssignment.MOST, hostCount));
            }
        }
    }

    @Test
    void shouldPutBothAtTheOtherOfTwoHosts() {
        HolderAssignment holders = new HolderAssignment(hosts("aaaaabb"));
        assertThat(IntStream.range(0, 5).mapToObj(holders::of))
                .allSatisfy(its -> assertThat(its).containsExactlyInAnyOrder(5, 6));
        assertThat(List.of(holders.of(5), holders.of(6)))
                .allSatisfy(its -> assertThat(its).isSubsetOf(0, 1, 2, 3, 4).doesNotHaveDuplicates());
    }

    @Test
    void shouldLetEachHoldForAsManyWhereHostsAreEqual() {
        for (int hostCount = 2; hostCount < 10; hostCount++) {
            for (int perHost = 2; perHost < 9; perHost++) {
                int size = hostCount * perHost;
                int all = hostCount;
                int each = perHost;
                for (List<String> hosts : List.of(
                        IntStream.range(0, size)
                                .mapToObj(rank -> "h" + rank / each)
                                .toList(),
                        IntStream.range(0, size)
                                .mapToObj(rank -> "h" + rank % all)
                                .toList())) {
                    assertThat(loads(hosts, new HolderAssignment(hosts)))
                            .as("%s", hosts)
                            .containsOnly(HolderAssignment.MOST);
                }
            }
        }
    }

    @Test
    void shouldLetNobodyHoldForFarMoreThanItsShare() {
        int balanced = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            List<String> hosts = random(new Random(seed));
            int largest = hosts.stream()
                    .mapToInt(host -> Collections.frequency(hosts, host))
                    .max()
                    .orElseThrow();
            if (3 * largest <= hosts.size()) {
                balanced++;
                assertThat(Arrays.stream(loads(hosts, new HolderAssignment(hosts)))
                                .max()
                                .orElseThrow())
                        .as("seed %d, %s", seed, hosts)
                        .isLessThanOrEqualTo(HolderAssignment.MOST + 1);
            }
        }
        assertThat(balanced).isGreaterThan(SEEDS / 4);
    }

    /** One host is lost: each of its ranks has a holder elsewhere, if there is another host at all. */
    @Test
    void shouldKeepWhatTheRanksOfAHostGot() {
        for (int seed = 0; seed < SEEDS; seed++) {
            List<String> hosts = random(new Random(seed));
            HolderAssignment holders = new HolderAssignment(hosts);
            boolean others = new HashSet<>(hosts).size() > 1;
            for (int rank = 0; rank < hosts.size(); rank++) {
                String lost = hosts.get(rank);
                assertThat(holders.surviveOf(rank, each -> hosts.get(each).equals(lost)))
                        .as("seed %d, %s, rank %d", seed, hosts, rank)
                        .isEqualTo(others);
                assertThat(holders.surviveOf(rank, holders.of(rank)::contains)).isFalse();
            }
        }
    }
}
