package dev.edl.runtime.wire.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection without TLS. */
final class PlainChannel implements PeerChannel {
    /** Types of TLS records; no frame begins with one. */
    private static final int CHANGE_CIPHER_SPEC = 0x14;

    private static final int APPLICATION_DATA = 0x17;

    private final SocketChannel socket;
    private final boolean caller;
    private boolean begun;

    PlainChannel(SocketChannel socket, boolean caller) {
        this.socket = socket;
        this.caller = caller;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int first = into.position();
        int read = socket.read(into);
        if (!begun && read > 0) {
            begun = true;
            int type = into.get(first);
            if (type >= CHANGE_CIPHER_SPEC && type <= APPLICATION_DATA) {
                throw new TlsMismatchException(!caller);
            }
        }
        return read;
    }

    @Override
    public int readArrived(ByteBuffer into) throws IOException {
        socket.configureBlocking(false);
        try {
            return read(into);
        } finally {
            socket.configureBlocking(true);
        }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return socket.write(from);
    }

    @Override
    public ChannelBinding binding() {
        return ChannelBinding.PLAIN;
    }

    @Override
    public void shutdownInput() throws IOException {
        socket.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    @Override
    public String toString() {
        return "plain connection";
    }
}
