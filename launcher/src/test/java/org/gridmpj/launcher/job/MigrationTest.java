package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.gridmpj.job.control.ControlMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's part: before the decision the old process is the rank, after it the new one, whatever happens. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class MigrationTest {
    private static final int SIZE = 3;
    private static final int RANK = 1;
    private static final long LATER_NANOS = 61_000_000_000L;
    private static final Duration ROUND = Duration.ofSeconds(4);

    @TempDir
    Path root;

    private final List<ControlMessage> told = new ArrayList<>();
    private final List<ControlMessage> toldNext = new ArrayList<>();
    private IdleRanks job;
    private RankSlot before;
    private RankSlot next;
    private Migration move;

    @BeforeEach
    void begin() throws IOException {
        job = new IdleRanks(root, SIZE);
        job.ranks.prepare(0, null);
        job.ranks.start(0, null);
        before = job.ranks.slot(RANK);
        before.connect(new KeptLine(told), job.events::add);
        job.meet();
        move = Migration.begin(job.moving(), null, RANK, "localhost", 1);
        next = move.next;
        move.connected(new ControlMessage.Hello(RANK, next.incarnation, next.process.pid()), new KeptLine(toldNext));
        move.nextSaid(new ControlMessage.Bound("127.0.0.1", 9, "here"));
    }

    @AfterEach
    void end() {
        next.process.destroyForcibly();
        before.process.destroyForcibly();
        job.close();
    }

    private boolean wasTold(List<ControlMessage> messages, Class<? extends ControlMessage> kind) {
        return messages.stream().anyMatch(kind::isInstance);
    }

    /** An image is where the new process is. */
    private void shipped() throws InterruptedException {
        while (true) {
            if (job.events.take() instanceof JobEvent.Shipped shipped) {
                move.shipped(shipped);
                return;
            }
        }
    }

    /** A round, until the new process has verified it. */
    private void copyAhead(Duration time) throws InterruptedException {
        assertThat(told).last().isInstanceOf(ControlMessage.CopyAhead.class);
        move.said(new ControlMessage.CopiedAhead(roundsAsked().getLast(), 1, 1));
        shipped();
        job.skip(time);
        move.nextSaid(new ControlMessage.Prepared());
    }

    private void copyAheadTwice() throws InterruptedException {
        move.nextSaid(new ControlMessage.Prepared());
        copyAhead(ROUND);
        copyAhead(ROUND);
    }

    private void leave(long stdoutBytes) throws InterruptedException {
        copyAheadTwice();
        ControlMessage.Depart asked = (ControlMessage.Depart) told.getLast();
        move.said(new ControlMessage.Departed(asked.file(), 1, 1, stdoutBytes, 0, 0));
        shipped();
    }

    private void assertStays(String reason) throws InterruptedException {
        assertThat(move.failure()).isEqualTo(reason);
        assertThat(told).last().isEqualTo(new ControlMessage.Stay(reason));
        assertThat(wasTold(toldNext, ControlMessage.Go.class)).isFalse();
        assertThat(job.ranks.slot(RANK)).isSameAs(before);
        assertThat(before.process.isAlive()).isTrue();
        assertThat(next.process.waitFor()).isNotZero();
    }

    @Test
    void shouldLeaveOnlyWhenTheTargetHasVerifiedWhatWasCopiedAhead() throws Exception {
        move.nextSaid(new ControlMessage.Prepared());
        copyAhead(ROUND);
        assertThat(wasTold(told, ControlMessage.Depart.class)).isFalse();
        move.said(new ControlMessage.CopiedAhead(roundsAsked().getLast(), 1, 1));
        shipped();
        assertThat(toldNext).last().isInstanceOf(ControlMessage.Rehearse.class);
        assertThat(wasTold(told, ControlMessage.Depart.class)).isFalse();
        move.nextSaid(new ControlMessage.NotMoved("", "a block is damaged"));
        assertStays("a block is damaged");
    }

    @Test
    void shouldCopyAheadAsLongAsItGetsMuchFaster() throws Exception {
        move.nextSaid(new ControlMessage.Prepared());
        copyAhead(ROUND);
        copyAhead(ROUND.dividedBy(2));
        copyAhead(ROUND.dividedBy(2));
        assertThat(told).last().isInstanceOf(ControlMessage.Depart.class);
        assertThat(roundsAsked()).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void shouldCopyAheadFourTimesAtMost() throws Exception {
        move.nextSaid(new ControlMessage.Prepared());
        Duration time = ROUND;
        for (int round = 0; round < Migration.MOST_ROUNDS; round++) {
            copyAhead(time);
            time = time.dividedBy(2);
        }
        assertThat(told).last().isInstanceOf(ControlMessage.Depart.class);
        assertThat(roundsAsked()).hasSize(4).doesNotHaveDuplicates();
    }

    @Test
    void shouldLeaveAfterTheFirstRoundWhenASecondWouldTakeTooLong() throws Exception {
        move.nextSaid(new ControlMessage.Prepared());
        copyAhead(Duration.ofSeconds(20));
        assertThat(told).last().isInstanceOf(ControlMessage.Depart.class);
    }

    @Test
    void shouldNotTakeWhatWasWrittenForAnEarlierMoveForItsOwn() throws Exception {
        move.nextSaid(new ControlMessage.Prepared());
        copyAhead(ROUND);
        ControlMessage late = new ControlMessage.CopiedAhead("moving-2-1-0.image", 1, 1);
        assertThat(move.isOf(before, Migration.imageOf(late))).isFalse();
        assertThat(move.isOf(before, roundsAsked().getLast())).isTrue();
        assertThat(move.isOf(job.ranks.slot(RANK - 1), "")).isFalse();
    }

    @Test
    void shouldRemoveAllThatWasCopiedAheadWhenItStays() throws Exception {
        copyAheadTwice();
        List<Path> files = new ArrayList<>();
        for (String file : roundsAsked()) {
            files.add(Files.createFile(job.folder.path().resolve(file)));
        }
        move.nextSaid(new ControlMessage.NotMoved("", "a block is damaged"));
        assertThat(files).hasSize(2).allSatisfy(file -> assertThat(file).doesNotExist());
    }

    private List<String> roundsAsked() {
        return told.stream()
                .filter(ControlMessage.CopyAhead.class::isInstance)
                .map(message -> ((ControlMessage.CopyAhead) message).file())
                .toList();
    }

    @Test
    void shouldDecideOnlyWhenTheTargetHasReadAndVerifiedTheImage() throws Exception {
        leave(0);
        assertThat(wasTold(toldNext, ControlMessage.Arrive.class)).isTrue();
        move.tick(System.nanoTime());
        assertThat(job.coordination.incarnation(RANK)).isZero();
        assertThat(job.ranks.slot(RANK)).isSameAs(before);
        move.nextSaid(new ControlMessage.NotMoved("", "a block is damaged"));
        assertStays("a block is damaged");
        assertThat(job.coordination.incarnation(RANK)).isZero();
    }

    @Test
    void shouldDecideOnlyWhenAllOutputOfTheOldProcessIsHere() throws Exception {
        leave(5);
        move.nextSaid(new ControlMessage.Arrived());
        assertThat(job.ranks.slot(RANK)).isSameAs(before);
        OutputChannel stdout = job.streams.stdout(RANK);
        stdout.accept(stdout.life(), "abcde".getBytes(StandardCharsets.US_ASCII), 5);
        move.tick(System.nanoTime());
        assertThat(job.ranks.slot(RANK)).isSameAs(next);
    }

    @Test
    void shouldBeTheNewProcessAndEndTheOldOneWhenItIsDecided() throws Exception {
        leave(0);
        move.nextSaid(new ControlMessage.Arrived());
        assertThat(job.coordination.incarnation(RANK)).isEqualTo(1);
        assertThat(job.ranks.slot(RANK)).isSameAs(next);
        assertThat(toldNext).last().isInstanceOf(ControlMessage.Go.class);
        assertThat(before.process.isAlive()).isFalse();
        assertThat(next.process.isAlive()).isTrue();
        move.said(new ControlMessage.Restored(-1, 0, 0, 0));
        assertThat(move.isOver()).isTrue();
        assertThat(move.failure()).isEmpty();
    }

    @Test
    void shouldNotGiveUpWhatIsDecidedHoweverLongItTakes() throws Exception {
        leave(0);
        move.nextSaid(new ControlMessage.Arrived());
        move.tick(System.nanoTime() + LATER_NANOS);
        assertThat(move.isOver()).isFalse();
        assertThat(next.process.isAlive()).isTrue();
    }

    @Test
    void shouldStayWhenItTakesTooLong() throws Exception {
        leave(0);
        move.tick(System.nanoTime() + LATER_NANOS);
        assertStays("it took more than 60 s");
    }

    @Test
    void shouldStayWhenAnotherLauncherWasFirst() throws Exception {
        leave(0);
        assertThat(job.coordination.raiseIncarnation(RANK, 0)).isTrue();
        move.nextSaid(new ControlMessage.Arrived());
        assertStays("the rank was started anew meanwhile");
    }
}
