package org.gridmpj.transport.nio;

import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;

/**
 * Finds {@link JavaTransport} under the name {@code java}.
 *
 * <p>Option {@code staging}: bytes of each of the two staging buffers of a peer (default 256 KiB up to 32 ranks, else 64
 * KiB).
 */
public final class JavaTransportProvider implements TransportProvider {
    @Override
    public String name() {
        return "java";
    }

    @Override
    public String ways() {
        return "java.nio sockets, in the caller's thread";
    }

    @Override
    public Transport open(Context context) {
        return new JavaTransport(context);
    }
}
