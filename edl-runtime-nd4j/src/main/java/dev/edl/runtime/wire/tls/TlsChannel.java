package dev.edl.runtime.wire.tls;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection by TLS 1.3. Its first read or write makes the handshake, on the calling thread, and so within the bounds
 * of the caller.
 *
 * <p>A reader never waits for a writer. A renewal of keys that the peer requests leaves with the next write, because
 * two ends that are full would otherwise wait for each other.
 */
final class TlsChannel implements PeerChannel {
    /** Bytes of a record's header; the last two have the length of the rest. */
    private static final int HEADER = 5;
    /** Lowest and highest type of a record, its first byte. */
    private static final int CHANGE_CIPHER_SPEC = 0x14;

    private static final int APPLICATION_DATA = 0x17;
    /** Maximum number of requests to renew keys that wait for an answer; each takes memory. */
    private static final int MOST_UNANSWERED = 64;
    /** Largest length of a record behind its header, by RFC 8446. */
    private static final int LONGEST = (1 << 14) + 256;
    /** First byte of each frame, and of no TLS record. */
    private static final byte[] FRAME = {'E', 'D', 'L', 'F'};

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel socket;
    private final SSLEngine engine;
    private final boolean caller;
    private final TlsRecordBuffers buffers;
    private final ReentrantLock shaking = new ReentrantLock();
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    private volatile boolean ready;
    /** The reason why the handshake has failed; null if it has not. */
    private @Nullable IOException failure;
    /** Whether the caller has sent a frame in plain, so that the reason of the failure is sent in plain as well. */
    private volatile boolean answersPlain;

    private volatile boolean inputShut;

    /** Received records, from position to limit. */
    private ByteBuffer received;
    /** Whether the last read has filled its buffer, so that more bytes wait. */
    private boolean filled;
    /** Content of a record that had no room in the caller's buffer. */
    private ByteBuffer rest = NOTHING;

    private boolean ended;
    /** Number of records without content, which may request an answer, since the last write. */
    private final AtomicInteger unanswered = new AtomicInteger();

    TlsChannel(SocketChannel socket, SSLEngine engine, TlsRecordBuffers buffers) {
        this.socket = socket;
        this.engine = engine;
        this.caller = engine.getUseClientMode();
        this.buffers = buffers;
        this.received = buffers.borrow(0).limit(0);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        handshake();
        reading.lock();
        try {
            return take(into);
        } finally {
            reading.unlock();
        }
    }

    @Override
    public int readArrived(ByteBuffer into) throws IOException {
        if (!ready) {
            return 0;
        }
        socket.configureBlocking(false);
        try {
            return read(into);
        } finally {
            socket.configureBlocking(true);
        }
    }

    private int take(ByteBuffer into) throws IOException {
        if (!socket.isOpen()) {
            throw new ClosedChannelException();
        }
        int before = into.position();
        while (into.hasRemaining()) {
            decrypt(into);
            if (into.position() > before) {
                break;
            }
            if (ended || inputShut) {
                return -1;
            }
            int arrived = receive();
            if (arrived <= 0) {
                return arrived;
            }
        }
        return into.position() - before;
    }

    /** Moves the content of complete records into a buffer, until it has no room for the next one. */
    private void decrypt(ByteBuffer into) throws IOException {
        boolean moved = rest.hasRemaining();
        move(rest, into);
        while (!ended && into.hasRemaining() && isComplete()) {
            SSLEngineResult result = engine.unwrap(received, into);
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
                if (moved) {
                    return;
                }
                rest = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
                result = engine.unwrap(received, rest);
                move(rest.flip(), into);
            }
            moved |= result.bytesProduced() > 0;
            ended = result.getStatus() == SSLEngineResult.Status.CLOSED;
            if (!ended && result.bytesConsumed() == 0) {
                throw new SSLException("the engine took no record: " + result);
            }
            if (result.bytesProduced() == 0 && unanswered.incrementAndGet() > MOST_UNANSWERED) {
                throw new SSLException("the peer must send at most " + MOST_UNANSWERED
                        + " records without content until this end writes, sent more");
            }
        }
    }

    private static void move(ByteBuffer from, ByteBuffer to) {
        int count = Math.min(from.remaining(), to.remaining());
        to.put(from.slice(from.position(), count));
        from.position(from.position() + count);
    }

    /** Returns whether a whole record has been received. Rejects a record that has no room in the buffer. */
    private boolean isComplete() throws IOException {
        if (received.remaining() < HEADER) {
            return false;
        }
        int at = received.position();
        int type = received.get(at);
        int length = Short.toUnsignedInt(received.getShort(at + HEADER - Short.BYTES));
        if (type < CHANGE_CIPHER_SPEC || type > APPLICATION_DATA || length > LONGEST) {
            if (!ready && isFrame()) {
                answersPlain = !caller;
                throw new TlsMismatchException(caller);
            }
            throw new SSLException("a TLS record must have a type from " + CHANGE_CIPHER_SPEC + " to "
                    + APPLICATION_DATA + " and at most " + LONGEST + " bytes, had type " + type + " and " + length
                    + " bytes");
        }
        return received.remaining() >= HEADER + length;
    }

    /** Receives bytes. Returns their number, 0 if none has arrived and the socket does not wait; -1 without input. */
    private int receive() throws IOException {
        received = buffers.next(received, filled);
        int read;
        received.compact();
        try {
            read = socket.read(received);
            filled = !received.hasRemaining();
        } finally {
            received.flip();
        }
        if (read < 0 && !inputShut) {
            throw new EOFException(
                    ready
                            ? "the connection ended without the peer's end of output"
                            : "the connection ended within the TLS handshake");
        }
        return read;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        if (answersPlain) {
            return socket.write(from);
        }
        handshake();
        writing.lock();
        try {
            if (!socket.isOpen()) {
                throw new ClosedChannelException();
            }
            unanswered.set(0);
            int before = from.position();
            ByteBuffer out = buffers.borrow(from.remaining());
            try {
                while (from.hasRemaining()) {
                    encrypt(from, out);
                    send(out);
                }
            } finally {
                buffers.give(out);
            }
            return from.position() - before;
        } finally {
            writing.unlock();
        }
    }

    /** Fills a buffer with records, until no content or no room for a record is left. */
    private void encrypt(ByteBuffer from, ByteBuffer out) throws IOException {
        while (from.hasRemaining()) {
            SSLEngineResult result = engine.wrap(from, out);
            switch (result.getStatus()) {
                case BUFFER_OVERFLOW -> {
                    return;
                }
                case CLOSED -> throw new ClosedChannelException();
                default -> {
                    if (result.bytesProduced() == 0) {
                        throw new SSLException("the TLS engine produced no output: " + result);
                    }
                }
            }
        }
    }

    private void send(ByteBuffer out) throws IOException {
        out.flip();
        while (out.hasRemaining()) {
            socket.write(out);
        }
        out.clear();
    }

    private void sendPending(ByteBuffer out) throws IOException {
        while (engine.wrap(NOTHING, out).bytesProduced() > 0) {
            send(out);
        }
    }

    private void handshake() throws IOException {
        if (ready) {
            return;
        }
        shaking.lock();
        try {
            if (failure != null) {
                throw failure;
            }
            if (!ready) {
                shake();
                ready = true;
            }
        } catch (IOException e) {
            failure = e;
            throw e;
        } finally {
            shaking.unlock();
        }
    }

    private void shake() throws IOException {
        ByteBuffer out = buffers.borrow(0);
        try {
            engine.beginHandshake();
            while (shakes(out)) {}
        } catch (SSLException e) {
            try {
                send(out);
                sendPending(out);
            } catch (IOException noAlert) {
                e.addSuppressed(noAlert);
            }
            throw e;
        } finally {
            buffers.give(out);
        }
    }

    /** Performs the next step of the handshake. Returns whether further steps follow. */
    private boolean shakes(ByteBuffer out) throws IOException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> engine.getDelegatedTask().run();
            case NEED_WRAP -> {
                if (engine.wrap(NOTHING, out).getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
                    send(out);
                }
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                send(out);
                awaitRecord();
                if (engine.unwrap(received, NOTHING).getStatus() == SSLEngineResult.Status.CLOSED) {
                    throw new EOFException("the peer ended its output within the TLS handshake");
                }
            }
            case FINISHED, NOT_HANDSHAKING -> {
                send(out);
                return false;
            }
        }
        return true;
    }

    private void awaitRecord() throws IOException {
        while (!isComplete()) {
            if (receive() < 0) {
                throw new ClosedChannelException();
            }
        }
    }

    private boolean isFrame() {
        byte[] begin = new byte[FRAME.length];
        received.get(received.position(), begin);
        return Arrays.equals(begin, FRAME);
    }

    @Override
    public ChannelBinding binding() throws IOException {
        handshake();
        Certificate[] sent = engine.getSession().getLocalCertificates();
        if (sent == null) {
            throw new SSLException("the peer did not request this end's certificate");
        }
        Certificate own = sent[0];
        Certificate peer = engine.getSession().getPeerCertificates()[0];
        return caller ? ChannelBinding.tls(own, peer) : ChannelBinding.tls(peer, own);
    }

    @Override
    public void shutdownInput() throws IOException {
        inputShut = true;
        socket.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        writing.lock();
        try {
            if (ready) {
                engine.closeOutbound();
                ByteBuffer out = buffers.borrow(0);
                try {
                    sendPending(out);
                } finally {
                    buffers.give(out);
                }
            }
            socket.shutdownOutput();
        } finally {
            writing.unlock();
        }
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
        return "TLS connection";
    }
}
