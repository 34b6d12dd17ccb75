package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Named places at which a test ends the process as a power cut would. The name, with the number of the visit if it is not
 * the first ({@code image.forced:3}), comes from the system property {@code gridmpj.crashpoint} or, for the ranks of a
 * launcher, from the environment {@code GRIDMPJ_CRASHPOINT}; {@code image.forced@2} is for world rank 2 only, and there may be
 * several with commas between them. Without them the field is a constant null and the call costs nothing.
 *
 * <p>Processes that come after have the same environment, and end there too; but if {@code GRIDMPJ_CRASHMARKS} names a folder,
 * each place ends only the first that comes to it, and leaves a file of its name there.
 *
 * <p>In the order of a snapshot: {@code take.agreed}, {@code take.markers}, {@code take.copied}, {@code image.begun},
 * {@code image.written}, {@code image.verified}, {@code image.forced}, {@code image.renamed}, {@code image.durable},
 * {@code image.reported}; in the launcher {@code manifest.written}, {@code manifest.forced}, {@code manifest.renamed},
 * {@code manifest.durable}, {@code remove.manifest}; in a resumed rank {@code restore.verified}, {@code restore.thawed}. Those of
 * a move begin with {@code ahead}, {@code depart} (the old process), {@code arrive} (the new one), {@code move} (the launcher);
 * those of a return of all in the launcher with {@code rollback}, those of a host's agent with {@code agent}.
 */
public final class CrashPoint {
    /** What a process that was killed by signal 9 ends with. */
    public static final int EXIT_CODE = 137;

    private static final @Nullable List<Place> ARMED = armed();

    private CrashPoint() {}

    private record Place(String name, int visit, String spec, AtomicInteger visits) {}

    /** Ends the process if this is the place. */
    public static void hit(String name) {
        if (ARMED == null) {
            return;
        }
        for (Place place : ARMED) {
            if (place.name.equals(name) && place.visits.incrementAndGet() == place.visit && isFirst(place.spec)) {
                Runtime.getRuntime().halt(EXIT_CODE);
            }
        }
    }

    private static @Nullable List<Place> armed() {
        String property = System.getProperty("gridmpj.crashpoint");
        String specs = property != null ? property : System.getenv("GRIDMPJ_CRASHPOINT");
        if (specs == null || specs.isEmpty()) {
            return null;
        }
        List<Place> places = new ArrayList<>();
        for (String spec : specs.split(",")) {
            int at = spec.indexOf('@');
            if (at >= 0 && !spec.substring(at + 1).equals(System.getenv("GRIDMPJ_RANK"))) {
                continue;
            }
            String place = at < 0 ? spec : spec.substring(0, at);
            int colon = place.indexOf(':');
            places.add(
                    colon < 0
                            ? new Place(place, 1, spec, new AtomicInteger())
                            : new Place(
                                    place.substring(0, colon),
                                    Integer.parseInt(place.substring(colon + 1)),
                                    spec,
                                    new AtomicInteger()));
        }
        return places.isEmpty() ? null : places;
    }

    /** Whether no process has ended there before, where that is to be known. */
    private static boolean isFirst(String spec) {
        String folder = System.getenv("GRIDMPJ_CRASHMARKS");
        if (folder == null || folder.isEmpty()) {
            return true;
        }
        try {
            Files.createFile(Path.of(folder, spec));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (IOException e) {
            throw new IllegalStateException("GRIDMPJ_CRASHMARKS: no file can be made in " + folder, e);
        }
    }
}
