package dev.edl.runtime.wire.tls;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Both ends of a connection over loopback. */
record Pair(SocketChannel callerSocket, SocketChannel calledSocket, PeerChannel caller, PeerChannel called)
        implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;
    private static final int SECONDS = 30;

    static Pair of(ChannelSecurity caller, ChannelSecurity called) throws IOException {
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel from = SocketChannel.open();
            from.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
            from.connect(listening.getLocalAddress());
            SocketChannel to = listening.accept();
            for (SocketChannel socket : new SocketChannel[] {from, to}) {
                socket.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
                socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            return new Pair(from, to, caller.caller(from), called.called(to));
        }
    }

    /** Makes the handshake. */
    Pair shaken() throws Exception {
        CompletableFuture<ChannelBinding> binding = start(caller::binding);
        called.binding();
        result(binding);
        return this;
    }

    /** Starts work on a thread of its own. */
    static <T> CompletableFuture<T> start(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(work.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** Returns the result of work within 30 s, or throws its exception. */
    static <T> T result(CompletableFuture<T> work) throws Exception {
        try {
            return work.get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } catch (TimeoutException e) {
            throw new AssertionError("the work must end within " + SECONDS + " s", e);
        }
    }

    static void send(PeerChannel to, String text) throws IOException {
        send(to, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    static void send(PeerChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    static String receive(PeerChannel from, int length) throws IOException {
        return new String(receiveBytes(from, length, length), StandardCharsets.US_ASCII);
    }

    /** Reads bytes with a buffer that has this room. */
    static byte[] receiveBytes(PeerChannel from, int length, int room) throws IOException {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; ) {
            ByteBuffer part = ByteBuffer.wrap(bytes, at, Math.min(room, length - at));
            int read = from.read(part);
            if (read < 0) {
                throw new EOFException(length - at + " bytes are missing");
            }
            at += read;
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        caller.close();
        called.close();
    }
}
