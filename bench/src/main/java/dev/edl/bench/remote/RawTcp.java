package dev.edl.bench.remote;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Connection over loopback without any protocol: one end sends a number of bytes, the other returns as many. Both ends
 * use blocking channels with chunks and socket buffers of 256 KiB, and ignore the bytes that they receive.
 */
final class RawTcp implements AutoCloseable {
    private static final int BUFFER = 256 * 1024;

    private final int bytes;
    private final SocketChannel here;
    private final ByteBuffer chunk = ByteBuffer.allocateDirect(BUFFER);

    RawTcp(int bytes) throws IOException {
        this.bytes = bytes;
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            here = tuned(SocketChannel.open());
            here.connect(listening.getLocalAddress());
            SocketChannel there = tuned(listening.accept());
            Thread thread = new Thread(() -> answer(there), "raw");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static SocketChannel tuned(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel;
    }

    private void answer(SocketChannel there) {
        ByteBuffer own = ByteBuffer.allocateDirect(BUFFER);
        try (there) {
            while (true) {
                receive(there, own);
                send(there, own);
            }
        } catch (IOException ended) {
            // The measurement has ended.
        }
    }

    private void receive(SocketChannel from, ByteBuffer into) throws IOException {
        for (int left = bytes; left > 0; ) {
            into.clear().limit(Math.min(left, BUFFER));
            int read = from.read(into);
            if (read < 0) {
                throw new EOFException("the other end has closed the connection");
            }
            left -= read;
        }
    }

    private void send(SocketChannel to, ByteBuffer from) throws IOException {
        for (int left = bytes; left > 0; ) {
            from.clear().limit(Math.min(left, BUFFER));
            left -= to.write(from);
        }
    }

    /** Sends the number of bytes and waits until as many have come back. */
    void exchange() throws IOException {
        send(here, chunk);
        receive(here, chunk);
    }

    @Override
    public void close() throws IOException {
        here.close();
    }

    /** Returns for example {@code raw TCP, 36 bytes there and back}. */
    @Override
    public String toString() {
        return "raw TCP, " + bytes + " bytes there and back";
    }
}
