package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Both ends of a connection over the loopback, without blocking. */
record LoopbackPair(Socket dialled, Socket accepted) {
    static LoopbackPair open() throws IOException {
        assertThat(Epoll.isAvailable()).isTrue(); // loads the calls, too
        Socket listener = Socket.newSocketStream();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.listen(1);
        Socket dialled = Socket.newSocketStream();
        boolean connected = dialled.connect(listener.localAddress());
        while (!connected) {
            connected = dialled.finishConnect();
        }
        byte[] address = new byte[32];
        int accepted = -1;
        while (accepted < 0) {
            accepted = listener.accept(address);
        }
        listener.close();
        return new LoopbackPair(dialled, new Socket(accepted));
    }
}
