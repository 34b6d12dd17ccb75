package org.gridmpj.launcher;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Name and address of this host. */
public final class OwnHost {
    private OwnHost() {}

    /** The host's name without its domain, in letters, digits, dots and hyphens. */
    public static String name() {
        String name = System.getenv().getOrDefault("COMPUTERNAME", "");
        try {
            Path linux = Path.of("/proc/sys/kernel/hostname");
            name = Files.exists(linux)
                    ? Files.readString(linux).strip()
                    : name.isEmpty() ? InetAddress.getLocalHost().getHostName() : name;
        } catch (IOException e) {
            // a host without a name
        }
        String plain = name.replaceFirst("\\..*", "").replaceAll("[^\\w-]", "-").toLowerCase(Locale.ROOT);
        return plain.isEmpty() ? "host" : plain;
    }

    /**
     * What a pid means here, on Linux: two processes see the same pids if and only if this is the same. Elsewhere, or where it
     * cannot be read, an empty text.
     */
    public static String pids() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip() + " "
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }

    /**
     * Whether a process with this {@link #name} and these {@link #pids} is one that this process could signal by its pid. Names
     * count only where the pids are not known: a host may get another one.
     */
    public static boolean isHere(String host, String pids) {
        String own = pids();
        boolean known = !own.isEmpty() && !pids.isEmpty();
        return known ? pids.equals(own) : host.equals(name());
    }

    /**
     * The address by which other hosts reach this one: the first IPv4 address of an interface that is up and no loopback.
     *
     * @throws UserError if there is none
     */
    public static String address() {
        try {
            List<NetworkInterface> all = NetworkInterface.networkInterfaces().toList();
            for (NetworkInterface each : all) {
                if (!each.isUp() || each.isLoopback() || each.isVirtual()) {
                    continue;
                }
                for (InterfaceAddress address : each.getInterfaceAddresses()) {
                    if (address.getAddress() instanceof Inet4Address ipv4 && !ipv4.isLinkLocalAddress()) {
                        return ipv4.getHostAddress();
                    }
                }
            }
        } catch (IOException e) {
            // as if there were none
        }
        throw new UserError(1, "this host has no address that others could dial: name one with --address");
    }
}
