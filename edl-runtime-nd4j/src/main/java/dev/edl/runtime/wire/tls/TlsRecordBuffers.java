package dev.edl.runtime.wire.tls;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Buffers for TLS records, which connections borrow while bytes move. They are on the heap, because the JDK's AES-GCM
 * works faster on arrays than on direct memory. Safe for several threads.
 */
final class TlsRecordBuffers {
    /** Size of a buffer for one record, which has at most 16,709 bytes, with some messages of a handshake before it. */
    static final int SMALL = 20 * 1024;
    /** Size of a buffer for four records. */
    static final int LARGE = 68 * 1024;
    /** Number of bytes that fit into one record; the JDK's have up to 16,367. */
    private static final int RECORD = 16_000;
    /** Maximum number of buffers of each size that are kept. */
    private static final int KEPT = 16;

    private final BlockingQueue<ByteBuffer> small = new ArrayBlockingQueue<>(KEPT);
    private final BlockingQueue<ByteBuffer> large = new ArrayBlockingQueue<>(KEPT);

    /** Returns an empty buffer for records with this many bytes of content. */
    ByteBuffer borrow(int content) {
        boolean isSmall = content <= RECORD;
        ByteBuffer free = (isSmall ? small : large).poll();
        return free == null ? ByteBuffer.allocate(isSmall ? SMALL : LARGE) : free.clear();
    }

    /** Takes a buffer back. A buffer that is never given back is garbage. */
    void give(ByteBuffer used) {
        (used.capacity() == SMALL ? small : large).offer(used);
    }

    /**
     * Returns the buffer for the next read, with the bytes that the last one has left. It is large while each read
     * fills it, and small while a connection waits.
     *
     * @param received buffer of the last read; its bytes are from position to limit
     * @param filled whether the last read has filled it
     */
    ByteBuffer next(ByteBuffer received, boolean filled) {
        boolean isSmall = received.capacity() == SMALL;
        if (isSmall != filled || (!isSmall && received.hasRemaining())) {
            return received;
        }
        ByteBuffer next = borrow(filled ? LARGE : 0).put(received).flip();
        give(received);
        return next;
    }
}
