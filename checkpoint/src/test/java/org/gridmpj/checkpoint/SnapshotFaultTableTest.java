package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every fault in every kind of file. Four epochs: 0 and 1 are full, 2 and 3 are increments to 1. Whatever is done to a
 * file, what is restored is exactly what the program held at the epoch that is named; newer ones are named with a reason.
 */
@Timeout(480)
class SnapshotFaultTableTest {
    private static final int NEWEST = 3;

    @TempDir
    Path root;

    private final List<String> table = new ArrayList<>();

    private interface Fault {
        void strike(Path file) throws IOException;
    }

    private static Map<String, Fault> faults() {
        Map<String, Fault> faults = new LinkedHashMap<>();
        faults.put("missing", Files::delete);
        faults.put("empty", file -> Files.write(file, new byte[0]));
        for (int eighth = 1; eighth < 8; eighth++) {
            int part = eighth;
            faults.put("torn at " + part + "/8", file -> {
                byte[] bytes = Files.readAllBytes(file);
                Files.write(file, Arrays.copyOf(bytes, bytes.length * part / 8));
            });
            faults.put("zeros from " + part + "/8", file -> {
                byte[] bytes = Files.readAllBytes(file);
                Files.write(file, Arrays.copyOf(Arrays.copyOf(bytes, bytes.length * part / 8), bytes.length));
            });
        }
        for (int eighth = 0; eighth < 8; eighth++) {
            int part = eighth;
            faults.put("bit flipped at " + part + "/8", file -> {
                int length = (int) Files.size(file);
                Images.flipBit(file, length * part / 8 + length / 16, part);
            });
        }
        faults.put("bit flipped at the end", file -> Images.flipBit(file, (int) Files.size(file) - 1, 0));
        return faults;
    }

    private static final Map<String, String> FILES = Map.of(
            "manifest", "g0-e3/manifest",
            "image of rank 0", "g0-e3/rank-0.image",
            "image of rank 1", "g0-e3/rank-1.image",
            "increment between", "g0-e2/rank-1.image",
            "base of the increments", "g0-e1/rank-0.image",
            "manifest of the base", "g0-e1/manifest",
            "count of failed restores", "g0-e3/restore-failures");

    @ParameterizedTest
    @EnumSource(ImageKind.class)
    void shouldRestoreWhatWasOrSayWhyNot(ImageKind kind) throws IOException {
        int number = 0;
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            for (Map.Entry<String, Fault> fault : faults().entrySet()) {
                Path folder = root.resolve("job-" + number++);
                FileSnapshotStore store = fourEpochs(folder, kind);
                fault.getValue().strike(folder.resolve(file.getValue()));
                check(store, file.getKey(), fault.getKey(), file.getValue());
                removeTree(folder);
            }
        }
        print(kind.toString());
    }

    private static FileSnapshotStore fourEpochs(Path folder, ImageKind kind) throws IOException {
        FileSnapshotStore store = FileSnapshotStore.at(folder);
        IncrementalJob job = new IncrementalJob(store, kind);
        job.commit(0);
        job.forget();
        for (int epoch = 1; epoch <= NEWEST; epoch++) {
            job.commit(epoch);
        }
        assertThat(store.countRestoreFailure(new EpochId(0, NEWEST), "rank 1: the first time"))
                .isEqualTo(1);
        return store;
    }

    private void check(FileSnapshotStore store, String file, String fault, String name) throws IOException {
        EpochLedger ledger = new EpochLedger(store, Images.JOB, IncrementalJob.SIZE, 0);
        EpochLedger.ResumePoint point = ledger.resumePoint();
        EpochManifest manifest = point.manifest();
        String what = file + ", " + fault;
        assertThat(manifest).as(what).isNotNull();
        if (manifest == null) {
            return;
        }
        for (int rank = 0; rank < IncrementalJob.SIZE; rank++) {
            assertThat(IncrementalJob.restored(store, manifest, rank))
                    .as(what)
                    .isEqualTo(IncrementalJob.content(rank, point.resumeEpoch()));
        }
        // a manifest that is gone is an epoch that never was
        boolean neverWas = name.endsWith("manifest") && fault.equals("missing");
        if (name.startsWith("g0-e" + NEWEST) && !name.endsWith("failures")) {
            assertThat(point.resumeEpoch()).as(what).isLessThan(NEWEST);
            if (!neverWas) {
                assertThat(point.skipped()).as(what).isNotEmpty();
            }
        }
        assertThat(point.skipped())
                .as(what)
                .allSatisfy(skipped -> assertThat(skipped.reason()).isNotBlank());
        // what was said is not tried, nor found, again
        assertThat(ledger.resumePoint().resumeEpoch()).as(what).isEqualTo(point.resumeEpoch());
        assertThat(store.restorable().getFirst().id().epoch()).as(what).isEqualTo(point.resumeEpoch());
        table.add("%-24s %-24s epoch %d  %s"
                .formatted(
                        file,
                        fault,
                        point.resumeEpoch(),
                        point.skipped().isEmpty()
                                ? ""
                                : point.skipped().getFirst().reason()));
    }

    @ParameterizedTest
    @EnumSource(ImageKind.class)
    void shouldRestoreTheOneBeforeWhenTheDiskIsFullAtAnyPoint(ImageKind kind) throws IOException {
        int failed = 0;
        for (int kibibytes = 900; kibibytes <= 1100; kibibytes += 10) {
            Configuration disk = Configuration.unix().toBuilder()
                    .setMaxSize((long) kibibytes << 10)
                    .setBlockSize(1 << 10)
                    .build();
            try (FileSystem small = Jimfs.newFileSystem(disk)) {
                FileSnapshotStore store = FileSnapshotStore.at(small.getPath("/job"));
                IncrementalJob job = new IncrementalJob(store, kind);
                EpochManifest newest = job.commit(0);
                String said = "";
                try {
                    newest = job.commit(1);
                    newest = job.commit(2);
                } catch (IOException e) {
                    said = String.valueOf(e.getMessage());
                    failed++;
                    store.abandon(new EpochId(0, newest.id().epoch() + 1));
                }
                EpochLedger.ResumePoint point =
                        new EpochLedger(store, Images.JOB, IncrementalJob.SIZE, 0).resumePoint();
                assertThat(point.manifest()).isEqualTo(newest);
                assertThat(point.skipped()).isEmpty();
                for (int rank = 0; rank < IncrementalJob.SIZE; rank++) {
                    assertThat(IncrementalJob.restored(store, newest, rank))
                            .isEqualTo(IncrementalJob.content(rank, newest.id().epoch()));
                }
                table.add("%-24s %-24s epoch %d  %s"
                        .formatted("disk", kibibytes + " KiB", newest.id().epoch(), said));
            }
        }
        assertThat(failed).as("disks that were too small").isPositive();
        print(kind.toString());
    }

    private void print(String title) {
        System.out.println(title + ":");
        table.forEach(System.out::println);
    }

    private static void removeTree(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
