package org.gridmpj.transport.gridtcp;

import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;

/** {@code --transport gridtcp}. */
public final class GridTcpTransportProvider implements TransportProvider {
    @Override
    public String name() {
        return "gridtcp";
    }

    @Override
    public String ways() {
        return (SharedFile.hostId() == 0 ? "no shared memory" : "shared memory between ranks of this host")
                + "; connections by " + GridTcpOptions.wayOfConnections();
    }

    @Override
    public Transport open(Context context) {
        return new GridTcpTransport(context, System::nanoTime);
    }
}
