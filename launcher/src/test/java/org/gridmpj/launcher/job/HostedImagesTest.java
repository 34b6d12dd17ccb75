package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.gridmpj.checkpoint.EpochId;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.ImageCorruptException;
import org.gridmpj.checkpoint.ImagesUnknownException;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.checkpoint.SnapshotDrill;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.RankProcess;
import org.junit.jupiter.api.Test;

class HostedImagesTest {
    /** Time passes at once. */
    private static final Machine IMPATIENT = new Machine() {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public void start(Thread thread) {
            throw new UnsupportedOperationException("nobody is waited for");
        }

        @Override
        public void pause(long nanos) {
            throw new UnsupportedOperationException("nobody waits");
        }

        @Override
        public <T> T await(CompletableFuture<T> answer, long seconds) throws TimeoutException {
            if (!answer.isDone()) {
                throw new TimeoutException();
            }
            return answer.join();
        }

        @Override
        public boolean hasRoom(long bytes) {
            return true;
        }
    };

    private final NotedHost first = new NotedHost("a");
    private final NotedHost second = new NotedHost("b");
    private final List<AgentHost> hosts = new ArrayList<>(List.of(first, second));
    private final List<JobEvent> events = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final HostedImages images = new HostedImages(() -> List.copyOf(hosts), Machine.THIS, said::add);

    @Test
    void shouldHaveAllHostsRemoveWhatIsNotNeededWhoeverHasWrittenIt() throws IOException {
        written("g0-e1/rank-0.image");
        written("g0-e2/rank-0.image");
        written("g1-e0/rank-0.image");

        images.sweep(1, Set.of(new EpochId(0, 1)));

        AgentMessage keep = new AgentMessage.Keep(1, List.of("g0-e1"));
        assertThat(first.told).containsExactly(keep);
        assertThat(second.told).containsExactly(keep);
        images.require(image("g0-e1/rank-0.image"));
        images.require(image("g1-e0/rank-0.image"));
        assertThatThrownBy(() -> images.require(image("g0-e2/rank-0.image")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no host that is left has g0-e2/rank-0.image");
    }

    @Test
    void shouldTryRankAfterRankAndEachAtAllHoldersInTurn() throws IOException {
        List<RankImage> both = List.of(image(0), image(1));
        EpochManifest manifest = new EpochManifest("job", new EpochId(0, 1), both);
        both.forEach(each -> written(each.file()));
        Drills drills = new HostedDrills(images, events::add);
        List<String> tried = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            first.asked.clear();
            second.asked.clear();
            drills.begin(manifest);
            List.of(first, second)
                    .forEach(host -> host.asked.stream()
                            .map(AgentMessage.Drill.class::cast)
                            .forEach(drill -> tried.add(host.name() + drill.worldRank())));
        }
        assertThat(tried).containsExactly("a0", "a1", "b0", "b1", "a0");
        drills.end();
        first.asked.clear();
        second.asked.clear();
        drills.begin(manifest);
        assertThat(first.asked).isEmpty();
        assertThat(second.asked).isEmpty();
    }

    private void writtenAndDamagedAtFirst() {
        written(image(0).file());
        first.answers = asked -> asked instanceof AgentMessage.Check
                ? "block 3 differs"
                : asked instanceof AgentMessage.Drill ? "DAMAGED 0 1 block 3 differs" : "";
    }

    @Test
    void shouldCopyAgainWhatIsDamagedAtOneHost() throws IOException {
        writtenAndDamagedAtFirst();
        new HostedDrills(images, events::add).begin(new EpochManifest("job", new EpochId(0, 1), List.of(image(0))));
        assertThat(events)
                .containsExactly(new JobEvent.Drilled(
                        new SnapshotDrill.Result(SnapshotDrill.Verdict.DAMAGED, new EpochId(0, 1), "block 3 differs"),
                        0,
                        "a",
                        new Drills.Remedy("it was copied there again from host b", true)));
        assertThat(second.asked).last().isInstanceOf(AgentMessage.Copy.class);
        assertThat(images.holders(image(0))).containsExactly(first, second);
    }

    @Test
    void shouldNotCountAHostWhereItCouldNotBeCopiedAgain() throws IOException {
        writtenAndDamagedAtFirst();
        second.answers = asked -> asked instanceof AgentMessage.Copy ? "No space left on device" : "";
        new HostedDrills(images, events::add).begin(new EpochManifest("job", new EpochId(0, 1), List.of(image(0))));
        assertThat(events).singleElement().isInstanceOfSatisfying(JobEvent.Drilled.class, drilled -> {
            assertThat(drilled.remedy().isWhole()).isFalse();
            assertThat(drilled.remedy().words())
                    .startsWith("host b has it whole, but ")
                    .endsWith("could not be copied from host b to host a: No space left on device");
        });
        assertThat(images.holders(image(0))).containsExactly(second);
    }

    @Test
    void shouldTryOnceMoreWhatIsWholeByNow() throws IOException {
        written(image(0).file());
        SnapshotDrill.Result whole = new SnapshotDrill.Result(SnapshotDrill.Verdict.AS_CAPTURED, new EpochId(0, 1), "");
        Iterator<String> drills =
                List.of("DAMAGED 0 1 block 3 differs", whole.text()).iterator();
        first.answers = asked -> asked instanceof AgentMessage.Drill ? drills.next() : "";
        new HostedDrills(images, events::add).begin(new EpochManifest("job", new EpochId(0, 1), List.of(image(0))));
        assertThat(drills.hasNext()).isFalse();
        assertThat(events).containsExactly(new JobEvent.Drilled(whole, 0, "a", Drills.Remedy.NONE));
    }

    @Test
    void shouldRemoveWhatIsCopiedAfterItsEpochWasRemoved() {
        first.isSlow = true;
        List<CompletableFuture<String>> copied =
                List.of(copies("g0-e1/rank-0.image"), copies("g0-e1/rank-1.image"), copies("g0-e2/rank-0.image"));
        images.removed(new EpochId(0, 1));
        first.told.clear();
        second.told.clear();
        first.slow.forEach(answer -> answer.complete(""));
        assertThat(copied).allSatisfy(each -> assertThat(each.join()).isEmpty());
        assertThat(second.told).containsExactly(new AgentMessage.Remove("g0-e1"), new AgentMessage.Remove("g0-e1"));
        assertThat(images.holders(image("g0-e1/rank-0.image"))).isEmpty();
        assertThat(images.holders(image("g0-e2/rank-0.image"))).containsExactly(first, second);

        // of the same number again: nothing is left of the first one
        first.isSlow = false;
        written("g0-e1/rank-0.image");
        assertThat(images.holders(image("g0-e1/rank-0.image"))).containsExactly(first, second);
    }

    @Test
    void shouldNotCallWholeWhatIsWholeNowhereOrWasWrittenSo() throws IOException {
        written(image(0).file());
        EpochManifest manifest = new EpochManifest("job", new EpochId(0, 1), List.of(image(0)));
        for (String check : List.of("", "block 3 differs")) {
            first.answers = asked -> asked instanceof AgentMessage.Drill ? "DAMAGED 0 1 block 3 differs" : check;
            second.answers = asked -> check;
            new HostedDrills(images, events::add).begin(manifest);
            assertThat(events)
                    .containsExactly(new JobEvent.Drilled(
                            new SnapshotDrill.Result(
                                    SnapshotDrill.Verdict.DAMAGED,
                                    new EpochId(0, 1),
                                    "block 3 differs; "
                                            + (check.isEmpty()
                                                    ? "it was written so"
                                                    : "it is whole nowhere (a: block 3 differs; b: block 3 differs)")),
                            0,
                            "a",
                            Drills.Remedy.NONE));
            events.clear();
        }
    }

    @Test
    void shouldNotTakeForDamagedWhatNobodyHasAnsweredAbout() throws IOException {
        HostedImages impatient = new HostedImages(() -> List.copyOf(hosts), IMPATIENT, said::add);
        EpochManifest manifest = new EpochManifest("job", new EpochId(0, 1), List.of(image(0)));
        first.answers = asked -> "block 3 differs";
        second.isSlow = true;
        assertThatThrownBy(() -> impatient.verify(manifest, image(0)))
                .isInstanceOf(ImagesUnknownException.class)
                .hasMessage(
                        "the image of rank 0 may be whole at a host that has not answered (a: block 3 differs; b: no"
                                + " answer within 600 s)");
        second.isSlow = false;
        impatient.verify(manifest, image(0));
        second.answers = first.answers;
        assertThatThrownBy(() -> impatient.verify(manifest, image(0))).isInstanceOf(ImageCorruptException.class);
    }

    @Test
    void shouldNotTakeForLostWhatMayBeWholeAtHostsThatAreAway() throws IOException {
        written(image(0).file());
        EpochManifest manifest = new EpochManifest("job", new EpochId(0, 1), List.of(image(0)));
        NotedHost third = new NotedHost("c");
        third.answers = asked -> "No such file";
        for (AgentHost gone : List.of(first, second)) {
            hosts.remove(gone);
            images.lost(gone.name());
        }
        hosts.add(third);
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> images.verify(manifest, image(0)))
                    .isInstanceOf(ImagesUnknownException.class)
                    .hasMessage("the image of rank 0 may be whole at hosts a, b, not there now (c: No such file)");
        }
        // one comes back with another disk, then the other one with its own
        hosts.add(first);
        first.answers = third.answers;
        assertThatThrownBy(() -> images.verify(manifest, image(0)))
                .isInstanceOf(ImagesUnknownException.class)
                .hasMessageContaining("may be whole at host b, not there now");
        hosts.add(second);
        images.verify(manifest, image(0));
        assertThat(images.holders(image(0))).containsExactly(second);
    }

    @Test
    void shouldBringAnImageFromAnotherHolderWhenOneCannotSendIt() throws IOException {
        written(image(0).file());
        NotedHost third = new NotedHost("c");
        hosts.add(third);
        first.answers = asked -> "Input/output error";
        EpochManifest manifest = new EpochManifest("job", new EpochId(0, 1), List.of(image(0)));
        images.bring(manifest, Map.of(0, third));
        assertThat(second.asked).singleElement().isInstanceOf(AgentMessage.Copy.class);
        assertThat(images.holders(image(0))).containsExactly(first, second, third);
    }

    @Test
    void shouldCopyToAnotherHostWhenThePartnerCannotTakeIt() {
        NotedHost third = new NotedHost("c");
        hosts.add(third);
        cannotTake(second, "No space left on device");
        written("g0-e1/rank-0.image");
        assertThat(images.holders(image("g0-e1/rank-0.image"))).containsExactly(first, third);
        assertThat(said).singleElement().asString().contains("host b: No space left", "Host c has it instead");

        first.asked.clear();
        written("g0-e2/rank-0.image");
        assertThat(first.asked).as("b is asked last").hasSize(1);
        assertThat(images.holders(image("g0-e2/rank-0.image"))).containsExactly(first, third);

        cannotTake(third, "Input/output error");
        written("g0-e3/rank-0.image");
        assertThat(images.holders(image("g0-e3/rank-0.image"))).containsExactly(first, second);
        assertThat(said).hasSize(2);
    }

    @Test
    void shouldAskAHostAsBeforeWhenItHasComeBack() {
        hosts.add(new NotedHost("c"));
        cannotTake(second, "No space left on device");
        written("g0-e1/rank-0.image");
        images.lost("b");
        first.answers = asked -> "";
        written("g0-e2/rank-0.image");
        assertThat(images.holders(image("g0-e2/rank-0.image"))).containsExactly(first, second);
    }

    @Test
    void shouldBlameNoPartnerForAnImageThatItsOwnHostCannotRead() {
        hosts.add(new NotedHost("c"));
        first.answers = asked -> "Input/output error";
        assertThat(copies("g0-e1/rank-0.image").join())
                .contains("to host b: Input/output error", "to host c: Input/output error");
        assertThat(said).isEmpty();
        first.answers = asked -> "";
        written("g0-e2/rank-0.image");
        assertThat(images.holders(image("g0-e2/rank-0.image"))).containsExactly(first, second);
    }

    @Test
    void shouldTryNoOtherHostForAnEpochThatWasGivenUpMeanwhile() {
        hosts.add(new NotedHost("c"));
        first.isSlow = true;
        CompletableFuture<String> copied = copies("g0-e1/rank-0.image");
        images.removed(new EpochId(0, 1));
        first.slow.getFirst().complete("No space left on device");
        assertThat(copied.join()).contains("host b: No space left");
        assertThat(first.asked).hasSize(1);
        assertThat(images.holders(image("g0-e1/rank-0.image"))).isEmpty();
    }

    @Test
    void shouldPutNothingAsideWhileAHostThatMayHaveItIsAway() throws IOException {
        written(image(0).file());
        images.lost("b");
        List<AgentHost> present = List.of(first);
        HostedImages fewer = new HostedImages(() -> present, Machine.THIS, said::add);
        assertThat(fewer.copy(first, new ControlMessage.SnapshotWritten(0, image(0).file(), 1, 2, 0, 0, 0, 0, 0))
                        .join())
                .isEmpty();
        first.answers = asked -> "block 3 differs";
        assertThat(fewer.whole(image(0)).join())
                .isEqualTo(new HostedImages.Whole(List.of(), true, "a: block 3 differs"));
        second.answers = first.answers;
        images.lost("c");
        assertThat(images.whole(image(0)).join())
                .isEqualTo(new HostedImages.Whole(List.of(), true, "a: block 3 differs; b: block 3 differs"));
        hosts.remove(second);
        assertThat(images.whole(image(0)).join())
                .isEqualTo(new HostedImages.Whole(List.of(), false, "a: block 3 differs"));
    }

    @Test
    void shouldSayNothingOfASnapshotWhenADrillCouldNotRun() throws IOException {
        written(image(0).file());
        EpochManifest manifest = new EpochManifest("job", new EpochId(0, 1), List.of(image(0)));
        first.answers = asked -> "host a is gone";
        HostedDrills drills = new HostedDrills(images, events::add);
        drills.begin(manifest);
        assertThat(events).isEmpty();
        first.answers = asked -> "AS_CAPTURED 0 1";
        second.answers = first.answers;
        drills.begin(manifest);
        assertThat(events).as("the next one runs").hasSize(1);
    }

    /** One host cannot take copies of the first one's images. */
    private void cannotTake(AgentHost host, String why) {
        int port = host.agent().port();
        first.answers = asked -> asked instanceof AgentMessage.Copy copy && copy.port() == port ? why : "";
    }

    private static RankImage image(int rank) {
        return new RankImage(rank, "g0-e1/rank-" + rank + ".image", 1, 2, 1, 0, 0, 0, 0);
    }

    private void written(String file) {
        assertThat(copies(file).join()).isEmpty();
    }

    private CompletableFuture<String> copies(String file) {
        return images.copy(first, new ControlMessage.SnapshotWritten(0, file, 1, 2, 0, 0, 0, 0, 0));
    }

    private static RankImage image(String file) {
        return new RankImage(0, file, 1, 2, 0, 0, 0, 0, 0);
    }

    /** Does at once what it is asked for, and notes what it is told. */
    private static final class NotedHost implements AgentHost {
        final List<AgentMessage> told = new ArrayList<>();
        final List<AgentMessage> asked = new ArrayList<>();
        final List<CompletableFuture<String>> slow = new ArrayList<>();
        Function<AgentMessage, String> answers = asked -> "";
        boolean isSlow;
        private final String name;
        private int requests;

        NotedHost(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public AgentRegistration agent() {
            return new AgentRegistration(name, "10.0.0.1", 1 + name.charAt(0), 1, 0, 1);
        }

        @Override
        public Process start(RankProcess wanted) {
            throw new UnsupportedOperationException("nothing runs here");
        }

        @Override
        public CompletableFuture<String> request(IntFunction<AgentMessage> message) {
            AgentMessage wanted = message.apply(++requests);
            asked.add(wanted);
            if (isSlow) {
                slow.add(new CompletableFuture<>());
                return slow.getLast();
            }
            return CompletableFuture.completedFuture(answers.apply(wanted));
        }

        @Override
        public CompletableFuture<String> comes(CompletableFuture<String> answer) {
            return answer;
        }

        @Override
        public void tell(AgentMessage message) {
            told.add(message);
        }

        @Override
        public long silenceNanos() {
            return 0;
        }

        @Override
        public boolean isEnded() {
            return false;
        }

        @Override
        public boolean has(Process process) {
            return false;
        }

        @Override
        public void lost() {
            throw new UnsupportedOperationException("it is there");
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
