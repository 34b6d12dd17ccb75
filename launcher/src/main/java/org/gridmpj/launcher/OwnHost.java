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
