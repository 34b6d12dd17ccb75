package org.gridmpj.launcher.job;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.checkpoint.SnapshotDrill;

/**
 * Drills of a job whose images are at hosts: one rank after the other, and of each rank now here, now at its partner's. An image
 * whose file is damaged at one host is copied there again from another that has it whole; only what is whole nowhere, or was
 * written so, is a snapshot that cannot be used.
 *
 * <pre>
 *   launcher ── Drill(manifest, rank) ──▶ agent at a holder     a JVM there reads the image
 *            ◀─ Done(text) ──────────────
 *            ── Check ──▶ all holders                           only if it was damaged
 *            ── Copy ───▶ one that has it whole ──▶ the first
 * </pre>
 */
final class HostedDrills implements Drills {
    private final HostedImages images;
    private final Consumer<JobEvent> events;
    private final AtomicBoolean underWay = new AtomicBoolean();
    private int turns;
    private volatile boolean over;

    HostedDrills(HostedImages images, Consumer<JobEvent> events) {
        this.images = images;
        this.events = events;
    }

    @Override
    public void begin(EpochManifest manifest) {
        if (over) {
            return;
        }
        RankImage image = manifest.images().get(turns % manifest.size());
        List<AgentHost> holders = images.holders(image);
        if (holders.isEmpty() || !underWay.compareAndSet(false, true)) {
            return;
        }
        AgentHost at = holders.get(turns / manifest.size() % holders.size());
        turns++;
        CompletableFuture<Void> _ =
                new Drill(manifest, image, at).attempt(false).whenComplete((done, failure) -> underWay.set(false));
    }

    /** One image at one host. */
    private final class Drill {
        private final EpochManifest manifest;
        private final RankImage image;
        private final AgentHost at;

        Drill(EpochManifest manifest, RankImage image, AgentHost at) {
            this.manifest = manifest;
            this.image = image;
            this.at = at;
        }

        /** @param again whether it was whole there although a first attempt has failed */
        CompletableFuture<Void> attempt(boolean again) {
            return images.drill(manifest, image, at).thenCompose(said -> {
                SnapshotDrill.Result result = SnapshotDrill.Result.parse(said);
                if (result == null || over || !result.id().equals(manifest.id())) {
                    // of another epoch than was asked for: other ranks have begun from it there, and this one may have
                    // no image of it
                    return CompletableFuture.completedFuture(null);
                }
                return result.verdict() == SnapshotDrill.Verdict.DAMAGED
                        ? images.whole(image).thenCompose(whole -> damaged(result, whole, again))
                        : report(result, Remedy.NONE);
            });
        }

        private CompletableFuture<Void> damaged(SnapshotDrill.Result result, HostedImages.Whole whole, boolean again) {
            if (over) {
                return CompletableFuture.completedFuture(null);
            } else if (whole.hosts().isEmpty()) {
                return whole.isAll()
                        ? report(adding(result, "it is whole nowhere (" + whole.problems() + ")"), Remedy.NONE)
                        : report(result, new Remedy("another host may have it whole, and cannot be asked now", false));
            } else if (!whole.hosts().contains(at)) {
                return images.copyAgain(image, whole.hosts().getFirst(), at)
                        .thenCompose(remedy -> report(result, remedy));
            }
            // it was written so, or it was mended by now, as ranks go back to it
            return again ? report(adding(result, "it was written so"), Remedy.NONE) : attempt(true);
        }

        private static SnapshotDrill.Result adding(SnapshotDrill.Result result, String more) {
            return new SnapshotDrill.Result(result.verdict(), result.id(), result.problem() + "; " + more);
        }

        private CompletableFuture<Void> report(SnapshotDrill.Result result, Remedy remedy) {
            events.accept(new JobEvent.Drilled(result, image.worldRank(), at.name(), remedy));
            return CompletableFuture.completedFuture(null);
        }
    }

    @Override
    public void end() {
        // the drill ends with the job at its host
        over = true;
    }
}
