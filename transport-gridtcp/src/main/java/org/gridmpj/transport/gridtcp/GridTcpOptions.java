package org.gridmpj.transport.gridtcp;

import io.netty.channel.epoll.Epoll;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.Slf4JLoggerFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * The settings of GridTcp, as in {@code TransportProvider.Context.options()}.
 *
 * @param tls {@code tls=on}: every connection is encrypted and both ends prove who they are
 * @param link {@code link=auto}, {@code link=shm}: shared memory between ranks of one host, the connection where that is not
 *     to be had or with TLS; {@code link=tcp} or nothing: connections only
 * @param data {@code data=fd}: the MPI caller moves the bytes on the connection's descriptor; {@code data=pipeline}: Netty's
 *     thread does; {@code data=auto} or nothing: the former where it is possible; {@code data=nio}: as pipeline, on java.nio's
 *     channels as where there is no epoll
 * @param connect {@code connect=N}: in jobs of up to N ranks, 32 if nothing is said, MPI.Init connects all pairs; in larger ones a
 *     pair is connected when one has something for the other. The same at all ranks of a job
 * @param certificate {@code tls.certificate}, a PEM file; null: derived from the job's secret
 * @param key {@code tls.key}, a PEM file (PKCS #8); null: derived from the job's secret
 * @param trust {@code tls.trust}, a PEM file of the authorities that peers' certificates must come from; null: the
 *     certificate itself
 */
record GridTcpOptions(
        boolean tls,
        String link,
        String data,
        int connect,
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable Path trust) {
    private static final Set<String> KNOWN =
            Set.of("connect", "link", "tls", "tls.certificate", "tls.key", "tls.trust", "data");

    /** Up to here all pairs are linked sooner than the first ones that knock, and there is nobody who waits for that. */
    private static final int CONNECTED_AT_ONCE = 32;

    static {
        // Netty's own search for a logger ends at java.util.logging, which reads its configuration: 15 ms of a start
        InternalLoggerFactory.setDefaultFactory(Slf4JLoggerFactory.INSTANCE);
    }

    static GridTcpOptions of(Map<String, String> options) {
        for (String name : options.keySet()) {
            if (!KNOWN.contains(name)) {
                throw new MpiFailure(
                        ErrorClass.ARG,
                        "GridTcp has no option '" + name + "'; it has " + String.join(", ", new TreeSet<>(KNOWN)));
            }
        }
        boolean tls = oneOf(options, "tls", "off", Set.of("on", "off", "")).equals("on");
        Path certificate = path(options, "tls.certificate");
        Path key = path(options, "tls.key");
        if ((certificate == null) != (key == null)) {
            throw new MpiFailure(ErrorClass.ARG, "GridTcp needs tls.certificate and tls.key together, or neither");
        }
        return new GridTcpOptions(
                tls,
                link(options, tls),
                data(options, tls),
                connect(options),
                certificate,
                key,
                path(options, "tls.trust"));
    }

    private static int connect(Map<String, String> options) {
        String value = options.getOrDefault("connect", "");
        try {
            int ranks = value.isEmpty() ? CONNECTED_AT_ONCE : Integer.parseInt(value);
            if (ranks > 0) {
                return ranks;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new MpiFailure(
                ErrorClass.ARG,
                "GridTcp's option connect is '" + value
                        + "'; it is the number of ranks, from 1, up to which all pairs are connected in MPI.Init");
    }

    /** Whether the pairs of a job of this size are connected when they have something for each other, and not before. */
    boolean connectsOnUse(int jobSize) {
        return jobSize > connect;
    }

    private static String link(Map<String, String> options, boolean tls) {
        String link = oneOf(options, "link", "tcp", Set.of("tcp", "auto", "shm", ""));
        if (link.equals("shm") && tls) {
            throw new MpiFailure(
                    ErrorClass.ARG, "GridTcp's option link=shm does not go with tls=on: leave one of them out");
        }
        return link;
    }

    /** Whether shared memory carries the bytes between ranks of one host. */
    boolean sharesMemory() {
        return !tls && !link.equals("tcp") && !link.isEmpty();
    }

    private static String data(Map<String, String> options, boolean tls) {
        String data = oneOf(options, "data", "auto", Set.of("auto", "fd", "pipeline", "nio", ""));
        String obstacle = tls ? "tls=on" : obstacle();
        if (data.equals("fd") && obstacle != null) {
            throw new MpiFailure(
                    ErrorClass.ARG, "GridTcp's option data=fd is not possible: " + obstacle + ". Leave it out");
        }
        if (data.equals("pipeline") || data.equals("nio")) {
            return data;
        }
        return obstacle == null ? "fd" : "pipeline";
    }

    /** How plain connections are moved on this machine. */
    static String wayOfConnections() {
        String obstacle = obstacle();
        return obstacle == null
                ? "epoll, on the descriptor in the caller's thread"
                : "java.nio in Netty's thread (" + obstacle + ")";
    }

    private static @Nullable String obstacle() {
        return Epoll.isAvailable()
                ? null
                : "this system has no epoll: " + Epoll.unavailabilityCause().getMessage();
    }

    /** Whether the MPI caller moves the bytes, and not Netty's thread. */
    boolean movesDataByDescriptor() {
        return data.equals("fd");
    }

    /** Whether connections are made by epoll, and not by java.nio. */
    boolean usesEpoll() {
        return !data.equals("nio") && Epoll.isAvailable();
    }

    private static String oneOf(Map<String, String> options, String name, String otherwise, Set<String> values) {
        String value = options.getOrDefault(name, otherwise);
        if (!values.contains(value)) {
            throw new MpiFailure(
                    ErrorClass.ARG,
                    "GridTcp's option " + name + " is '" + value + "'; it can be "
                            + new TreeSet<>(values)
                                    .stream().filter(word -> !word.isEmpty()).collect(Collectors.joining(" or ")));
        }
        return value;
    }

    private static @Nullable Path path(Map<String, String> options, String name) {
        String value = options.getOrDefault(name, "");
        return value.isEmpty() ? null : Path.of(value);
    }
}
