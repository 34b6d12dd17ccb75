package org.gridmpj.runtime;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells hosts apart: equal for two processes exactly if they share a kernel and its network and pid namespaces, so that
 * loopback and shared memory reach from one to the other. Where the system does not say, the host's name has to do.
 */
final class HostId {
    private HostId() {}

    /** The id of the host of this process. */
    static String current() {
        List<String> parts = new ArrayList<>();
        try {
            parts.add(
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
            parts.add(Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString());
            parts.add(Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString());
        } catch (IOException | UnsupportedOperationException | SecurityException e) {
            parts.clear();
            parts.add(hostName());
        }
        return String.join("/", parts);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
