package org.gridmpj.checkpoint;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** Where snapshots go when the user names no folder: in the user's cache folder, one folder per job below it. */
public final class SnapshotRoot {
    private SnapshotRoot() {}

    /** The folder of this user. */
    public static Path ofThisUser() {
        return of(System.getenv(), System.getProperty("os.name"), Path.of(System.getProperty("user.home")));
    }

    static Path of(Map<String, String> environment, String osName, Path home) {
        String os = osName.toLowerCase(Locale.ROOT);
        String named = environment.getOrDefault(os.contains("win") ? "LOCALAPPDATA" : "XDG_CACHE_HOME", "");
        Path cache;
        if (!named.isEmpty() && Path.of(named).isAbsolute()) {
            cache = Path.of(named);
        } else if (os.contains("mac")) {
            cache = home.resolve("Library").resolve("Caches");
        } else {
            cache = home.resolve(".cache");
        }
        return cache.resolve("gridmpj").resolve("snapshots");
    }
}
