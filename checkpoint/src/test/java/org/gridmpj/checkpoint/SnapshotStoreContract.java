package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every store of snapshots keeps to; subclasses give the folder that it works in. */
@Timeout(60)
abstract class SnapshotStoreContract {
    private static final int SIZE = 3;

    private Path folder = Path.of("unset");
    private FileSnapshotStore store = FileSnapshotStore.at(folder);

    /** An empty folder, or one that is not there yet. */
    abstract Path emptyFolder() throws IOException;

    @BeforeEach
    void open() throws IOException {
        folder = emptyFolder();
        store = FileSnapshotStore.at(folder);
    }

    private static EpochId id(int epoch) {
        return new EpochId(0, epoch);
    }

    private EpochManifest latest() throws IOException {
        return Objects.requireNonNull(store.latestCommitted().manifest(), "no usable epoch");
    }

    private Path image(EpochManifest manifest, int rank) {
        return folder.resolve(manifest.images().get(rank).file());
    }

    @Test
    void shouldFindNothingWhenEmpty() throws IOException {
        assertThat(store.latestCommitted().manifest()).isNull();
        assertThat(store.committed()).isEmpty();
    }

    @Test
    void shouldFindTheEpochWhenCommitted() throws IOException {
        EpochManifest manifest = Images.commit(store, SIZE, id(0));
        assertThat(latest()).isEqualTo(manifest);
        assertThat(store.find(0)).isEqualTo(manifest);
        assertThat(store.find(1)).isNull();
        try (ImageReader reader = ImageReader.open(store.open(manifest, 2))) {
            reader.verify();
            assertThat(reader.header()).isEqualTo(Images.header(SIZE, 2, id(0)));
        }
    }

    @Test
    void shouldNotSeeAnEpochWhenItIsNotCommitted() throws IOException {
        Images.commit(store, SIZE, id(0));
        for (int rank = 0; rank < SIZE; rank++) {
            Images.store(store, SIZE, rank, id(1));
        }
        assertThat(latest().id()).isEqualTo(id(0));
        assertThat(store.latestCommitted().skipped()).isEmpty();
    }

    @Test
    void shouldRefuseToCommitWhenAnImageIsMissing() throws IOException {
        EpochManifest manifest = Images.commit(store, SIZE, id(0));
        EpochManifest other = new EpochManifest(
                manifest.jobName(),
                id(1),
                manifest.images().stream()
                        .map(image -> new RankImage(
                                image.worldRank(), "g0-e1/rank-" + image.worldRank() + ".image", 1, 1, 1, 1, 1, 1, 1))
                        .toList());
        assertThatThrownBy(() -> store.commit(other)).isInstanceOf(NoSuchFileException.class);
        assertThat(latest().id()).isEqualTo(id(0));
    }

    @Test
    void shouldLeaveNothingWhenAnEpochIsAbandoned() throws IOException {
        Images.store(store, SIZE, 0, id(0));
        try (SnapshotStore.PendingImage pending = store.create(id(0), 1)) {
            pending.channel().write(ByteBuffer.wrap(new byte[100]));
            store.abandon(id(0));
            ImageSummary whatever = new ImageSummary(100, 0);
            assertThatThrownBy(() -> pending.seal(whatever)).isInstanceOf(IOException.class);
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void shouldRefuseToAbandonWhenCommitted() throws IOException {
        Images.commit(store, SIZE, id(0));
        assertThatThrownBy(() -> store.abandon(id(0))).isInstanceOf(IllegalStateException.class);
        assertThat(latest().id()).isEqualTo(id(0));
    }

    @Test
    void shouldLeaveNothingWhenAnImageIsNotSealed() throws IOException {
        try (SnapshotStore.PendingImage pending = store.create(id(0), 0)) {
            pending.channel().write(ByteBuffer.wrap(new byte[100]));
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void shouldRefuseToSealWhenTheDiskGivesBackOtherBytes() throws IOException {
        try (SnapshotStore.PendingImage pending = store.create(id(0), 0)) {
            ImageSummary summary = Images.writeTo(pending.channel(), Images.header(SIZE, 0, id(0)));
            Path temporary = files().getFirst();
            Images.flipBit(temporary, 70, 3);
            assertThatThrownBy(() -> pending.seal(summary)).isInstanceOf(ImageCorruptException.class);
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void shouldStartTheImageAnewWhenATornOneIsThere() throws IOException {
        Files.createDirectories(folder.resolve("g0-e0"));
        Files.writeString(folder.resolve("g0-e0").resolve("rank-0.image.tmp"), "left by a dead process");
        Images.commit(store, SIZE, id(0));
        assertThat(latest().id()).isEqualTo(id(0));
    }

    @Test
    void shouldTakeTheOneBeforeWhenAnImageIsTorn() throws IOException {
        Images.commit(store, SIZE, id(0));
        EpochManifest newest = Images.commit(store, SIZE, id(1));
        byte[] bytes = Files.readAllBytes(image(newest, 1));
        for (int length : new int[] {0, 10, bytes.length / 2, bytes.length - 1}) {
            Files.write(image(newest, 1), Arrays.copyOf(bytes, length));
            assertFallsBack("the image of rank 1 is damaged");
        }
    }

    @Test
    void shouldTakeTheOneBeforeWhenABitOfAnySectionIsFlipped() throws IOException {
        Images.commit(store, SIZE, id(0));
        EpochManifest newest = Images.commit(store, SIZE, id(1));
        Path image = image(newest, 2);
        List<SectionEntry> sections;
        try (ImageReader reader = ImageReader.open(store.open(newest, 2))) {
            sections = List.copyOf(reader.sections());
        }
        for (SectionEntry section : sections) {
            if (section.lengthBytes() > 0) {
                int offset = (int) (section.blocks().getFirst().offset() + section.lengthBytes() / 2);
                Images.flipBit(image, offset, 5);
                assertFallsBack("section \"" + section.name() + "\"");
                Images.flipBit(image, offset, 5);
            }
        }
        assertThat(latest().id()).as("all bits flipped back").isEqualTo(id(1));
    }

    @Test
    void shouldTakeTheOneBeforeWhenAnImageIsMissing() throws IOException {
        Images.commit(store, SIZE, id(0));
        EpochManifest newest = Images.commit(store, SIZE, id(1));
        Files.delete(image(newest, 0));
        assertFallsBack("the image of rank 0 is missing");
    }

    @Test
    void shouldTakeTheOneBeforeWhenAnImageIsAnotherOne() throws IOException {
        EpochManifest older = Images.commit(store, SIZE, id(0));
        EpochManifest newest = Images.commit(store, SIZE, id(1));
        Files.write(image(newest, 0), Files.readAllBytes(image(older, 0)));
        assertFallsBack("not the one that was committed");
    }

    @Test
    void shouldTakeTheOneBeforeWhenTheManifestIsDamaged() throws IOException {
        Images.commit(store, SIZE, id(0));
        Images.commit(store, SIZE, id(1));
        Path manifest = folder.resolve("g0-e1").resolve("manifest");
        byte[] bytes = Files.readAllBytes(manifest);
        for (int i = 0; i < bytes.length; i++) {
            Images.flipBit(manifest, i, 0);
            assertFallsBack("manifest");
            Files.write(manifest, bytes);
        }
        Files.write(manifest, Arrays.copyOf(bytes, bytes.length / 2));
        assertFallsBack("manifest");
        assertThat(store.committed()).extracting(EpochManifest::id).containsExactly(id(0));
    }

    @Test
    void shouldTakeTheOneBeforeWhenMarkedBad() throws IOException {
        Images.commit(store, SIZE, id(0));
        Images.commit(store, SIZE, id(1));
        store.quarantine(id(1), "class Foo is gone\nfor ever");
        assertFallsBack("class Foo is gone for ever");
        assertThat(store.find(1)).isNull();
    }

    @Test
    void shouldCountRestoreFailuresOverRestarts() throws IOException {
        Images.commit(store, SIZE, id(0));
        assertThat(store.countRestoreFailure(id(0), "first")).isEqualTo(1);
        assertThat(FileSnapshotStore.at(folder).countRestoreFailure(id(0), "second"))
                .isEqualTo(2);
    }

    @Test
    void shouldKeepTheLastTwoWhenToldSo() throws IOException {
        for (int epoch = 0; epoch < 5; epoch++) {
            Images.commit(store, SIZE, id(epoch));
            store.retain(2);
        }
        assertThat(store.committed()).extracting(EpochManifest::id).containsExactly(id(4), id(3));
        assertThat(files()).hasSize(2 * (SIZE + 1));
    }

    @Test
    void shouldNotCountBadEpochsAmongThoseKept() throws IOException {
        Images.commit(store, SIZE, id(0));
        Images.commit(store, SIZE, id(1));
        Images.commit(store, SIZE, id(2));
        store.quarantine(id(1), "does not restore");
        store.retain(2);
        assertThat(store.committed()).extracting(EpochManifest::id).containsExactly(id(2), id(0));
    }

    @Test
    void shouldRemoveLeftoversButNotTheEpochUnderWay() throws IOException {
        Images.store(store, SIZE, 0, id(0));
        Images.commit(store, SIZE, id(1));
        Images.commit(store, SIZE, id(2));
        Images.store(store, SIZE, 0, id(3));
        store.retain(2);
        assertThat(Files.exists(folder.resolve("g0-e0"))).isFalse();
        assertThat(Files.exists(folder.resolve("g0-e3"))).isTrue();
    }

    @Test
    void shouldPreferTheLaterGenerationWhateverItsEpoch() throws IOException {
        Images.commit(store, SIZE, new EpochId(0, 7));
        Images.commit(store, SIZE, new EpochId(0, 8));
        Images.commit(store, SIZE, new EpochId(1, 8));
        assertThat(latest().id()).isEqualTo(new EpochId(1, 8));
        assertThat(Objects.requireNonNull(store.find(8)).id()).isEqualTo(new EpochId(1, 8));
        store.quarantine(new EpochId(1, 8), "bad");
        assertThat(latest().id()).isEqualTo(new EpochId(0, 8));
    }

    @Test
    void shouldSweepWhatAnOldGenerationHadNotCommitted() throws IOException {
        Images.commit(store, SIZE, new EpochId(0, 0));
        Images.store(store, SIZE, 1, new EpochId(0, 1));
        Images.store(store, SIZE, 1, new EpochId(1, 1));
        store.sweep(1);
        assertThat(Files.exists(folder.resolve("g0-e1"))).isFalse();
        assertThat(Files.exists(folder.resolve("g1-e1"))).isTrue();
        assertThat(latest().id()).isEqualTo(new EpochId(0, 0));
    }

    @Test
    void shouldSealAllImagesWhenRanksWriteAtOnce() throws Exception {
        int ranks = 16;
        try (ExecutorService processes = Executors.newFixedThreadPool(8)) {
            for (int epoch = 0; epoch < 4; epoch++) {
                EpochId id = id(epoch);
                List<Future<RankImage>> written = IntStream.range(0, ranks)
                        .mapToObj(rank -> processes.submit(
                                () -> RankImage.of(rank, Images.store(FileSnapshotStore.at(folder), ranks, rank, id))))
                        .toList();
                List<RankImage> images = new ArrayList<>();
                for (Future<RankImage> image : written) {
                    images.add(image.get());
                }
                store.commit(new EpochManifest(Images.JOB, id, images));
                store.retain(2);
            }
        }
        assertThat(latest().id()).isEqualTo(id(3));
        assertThat(store.latestCommitted().skipped()).isEmpty();
    }

    @Test
    void shouldIgnoreStrangeFiles() throws IOException {
        Images.commit(store, SIZE, id(0));
        Files.writeString(folder.resolve("notes.txt"), "of the user", UTF_8);
        Files.createDirectories(folder.resolve("g0-e1x"));
        store.retain(1);
        assertThat(latest().id()).isEqualTo(id(0));
        assertThat(Files.exists(folder.resolve("notes.txt"))).isTrue();
    }

    private void assertFallsBack(String reason) throws IOException {
        SnapshotStore.Selection selection = store.latestCommitted();
        assertThat(Objects.requireNonNull(selection.manifest()).id()).isEqualTo(id(0));
        assertThat(selection.skipped()).hasSize(1);
        assertThat(selection.skipped().getFirst().id()).isEqualTo(id(1));
        assertThat(selection.skipped().getFirst().reason()).contains(reason);
    }

    private List<Path> files() throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
