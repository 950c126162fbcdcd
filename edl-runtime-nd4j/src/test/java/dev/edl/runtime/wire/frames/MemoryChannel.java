package dev.edl.runtime.wire.frames;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The server's end of a connection in memory. Its peer sends some bytes, reads the first response, and disconnects. It
 * supports only reading, writing and closing.
 */
final class MemoryChannel extends SocketChannel {
    private final UnaryOperator<byte[]> answer;
    private ByteBuffer coming;
    private boolean answered;

    MemoryChannel(byte[] first, UnaryOperator<byte[]> answer) {
        super(SelectorProvider.provider());
        this.coming = ByteBuffer.wrap(first);
        this.answer = answer;
    }

    @Override
    public int read(ByteBuffer into) {
        if (!coming.hasRemaining()) {
            return -1;
        }
        int part = Math.min(coming.remaining(), into.remaining());
        into.put(coming.slice(coming.position(), part));
        coming.position(coming.position() + part);
        return part;
    }

    @Override
    public int write(ByteBuffer from) {
        byte[] bytes = new byte[from.remaining()];
        from.get(bytes);
        if (!answered) {
            answered = true;
            coming = ByteBuffer.wrap(answer.apply(bytes));
        }
        return bytes.length;
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
        return read(into[offset]);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        return Arrays.stream(from, offset, offset + length)
                .mapToLong(this::write)
                .sum();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
        return this;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return InetSocketAddress.createUnresolved("memory", 1);
    }

    @Override
    public SocketAddress getLocalAddress() {
        return InetSocketAddress.createUnresolved("memory", 2);
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        throw new UnsupportedOperationException("a channel in memory has no " + name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public SocketChannel bind(SocketAddress local) {
        throw new UnsupportedOperationException("a channel in memory is connected");
    }

    @Override
    public SocketChannel shutdownInput() {
        throw new UnsupportedOperationException("a channel in memory ends as a whole");
    }

    @Override
    public SocketChannel shutdownOutput() {
        throw new UnsupportedOperationException("a channel in memory ends as a whole");
    }

    @Override
    public Socket socket() {
        throw new UnsupportedOperationException("a channel in memory has no socket");
    }

    @Override
    public boolean isConnectionPending() {
        return false;
    }

    @Override
    public boolean connect(SocketAddress remote) {
        throw new UnsupportedOperationException("a channel in memory is connected");
    }

    @Override
    public boolean finishConnect() {
        return true;
    }

    @Override
    protected void implCloseSelectableChannel() {}

    @Override
    protected void implConfigureBlocking(boolean block) {}
}
