package org.gridmpj.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.gridmpj.launcher.job.JobFolder;
import org.gridmpj.transport.TransportProvider;

/** Looks whether this host can run jobs: {@code mpjctl doctor}. */
final class Doctor {
    private static final int WANTED_JAVA = 25;
    private static final long LITTLE_DISK_BYTES = 1L << 30;

    private Doctor() {}

    /** One thing that was looked at. */
    record Finding(String what, boolean good, String found) {}

    /** All of it. */
    record Report(List<Finding> findings) {
        boolean fit() {
            return findings.stream().allMatch(Finding::good);
        }

        String text() {
            StringBuilder text = new StringBuilder();
            for (Finding finding : findings) {
                text.append(finding.good() ? "good  " : "BAD   ")
                        .append(finding.what())
                        .append(": ")
                        .append(finding.found())
                        .append(System.lineSeparator());
            }
            return text + (fit() ? "this host can run jobs" : "this host cannot run jobs as it is");
        }

        Map<String, Object> document() {
            List<Object> rows = new ArrayList<>();
            for (Finding finding : findings) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("what", finding.what());
                row.put("good", finding.good());
                row.put("found", finding.found());
                rows.add(row);
            }
            return Map.of("version", JobFolder.VERSION, "fit", fit(), "findings", rows);
        }
    }

    /** @param zookeeper where agents are registered, or empty to look at this host only */
    static Report examine(UserFolders user, Installation installation, String zookeeper) {
        List<Finding> findings = new ArrayList<>();
        int java = Runtime.version().feature();
        findings.add(
                new Finding("java", java >= WANTED_JAVA, Runtime.version() + " at " + System.getProperty("java.home")));
        boolean javac = Files.exists(installation.java().resolveSibling("javac"));
        findings.add(new Finding(
                "javac",
                javac,
                javac ? "beside it: single source files can run" : "missing: install a JDK, not a JRE"));
        findings.add(
                new Finding("cores", true, Runtime.getRuntime().availableProcessors() + " for the ranks to share"));
        ServiceLoader.load(TransportProvider.class)
                .forEach(transport ->
                        findings.add(new Finding("--transport " + transport.name(), true, transport.ways())));
        findings.add(loopback());
        findings.add(folder(user));
        if (!zookeeper.isEmpty()) {
            findings.addAll(HostCommands.examine(zookeeper));
        }
        return new Report(findings);
    }

    private static Finding loopback() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket dialled = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            return new Finding(
                    "loopback",
                    dialled.isConnected() && accepted.isConnected(),
                    "connects at " + server.getInetAddress());
        } catch (IOException e) {
            return new Finding("loopback", false, "no connection within this host: " + e.getMessage());
        }
    }

    private static Finding folder(UserFolders user) {
        try {
            Path jobs = UserFolders.createOwnerOnly(user.jobs());
            Path probe = Files.createTempFile(jobs, "doctor", "");
            Files.delete(probe);
            FileStore store = Files.getFileStore(jobs);
            long free = store.getUsableSpace();
            return new Finding(
                    "cache folder", free > LITTLE_DISK_BYTES, user.root() + ", " + (free >> 20) + " MiB free");
        } catch (IOException e) {
            return new Finding(
                    "cache folder", false, user.root() + " cannot be written: " + e + "; set GRIDMPJ_CACHE_DIR");
        }
    }
}
