package dev.edl.runtime.wire.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A program between two ends, which ends TLS on both sides and passes everything on. */
public final class TlsRelay implements AutoCloseable {
    private final ChannelSecurity security = ChannelSecurity.token(new SecureRandom());
    private final InetSocketAddress target;
    private final ServerSocketChannel listening;
    private final List<SocketChannel> sockets = new CopyOnWriteArrayList<>();

    /** Starts a relay to an address. */
    public TlsRelay(InetSocketAddress target) throws IOException {
        this.target = target;
        this.listening = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        start(this::accept);
    }

    /** Returns the address at which callers reach the relay. */
    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listening.getLocalAddress();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (listening.isOpen()) {
            try {
                SocketChannel near = listening.accept();
                SocketChannel far = SocketChannel.open(target);
                sockets.addAll(List.of(near, far));
                PeerChannel caller = security.called(near);
                PeerChannel called = security.caller(far);
                start(() -> pass(caller, called));
                start(() -> pass(called, caller));
            } catch (IOException closed) {
                // Closed, or the target is gone.
            }
        }
    }

    private static void pass(PeerChannel from, PeerChannel to) {
        try (from;
                to) {
            ByteBuffer bytes = ByteBuffer.allocate(1 << 14);
            while (from.read(bytes) >= 0) {
                for (bytes.flip(); bytes.hasRemaining(); ) {
                    to.write(bytes);
                }
                bytes.clear();
            }
        } catch (IOException ended) {
            // One end is gone.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (SocketChannel socket : sockets) {
            socket.close();
        }
    }
}
