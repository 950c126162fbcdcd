package dev.edl.runtime.wire.frames;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Receive and send buffers, which one connection uses at a time. They are reused by later connections, because direct
 * memory is freed only by a garbage collection.
 */
record ConnectionBuffers(ByteBuffer received, ByteBuffer sent) {
    /** Smallest size of a buffer in bytes. */
    static final int LEAST = 4096;

    /** Bytes of a frame without a shard's floats: header, checksum, life and numbers, with a run's usual name. */
    private static final int BESIDE_FLOATS = 1024;

    /**
     * Allocates buffers of this many bytes each.
     *
     * @throws OutOfMemoryError when the process has no direct memory left; its message has the limit and the remedy
     */
    static ConnectionBuffers allocate(int bytes) {
        return new ConnectionBuffers(of(bytes), of(bytes));
    }

    static ByteBuffer of(int bytes) {
        try {
            return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        } catch (OutOfMemoryError e) {
            OutOfMemoryError full = new OutOfMemoryError("a connection needs " + bytes + " bytes of direct memory: "
                    + e.getMessage() + "; raise the limit, for example by -XX:MaxDirectMemorySize=1g");
            full.initCause(e);
            throw full;
        }
    }

    /**
     * Returns the size of a buffer in bytes that holds a frame with all floats of a shard: a power of two from {@link
     * #LEAST} to {@link FrameInput#CHUNK}. It is the largest size if frames have rows as well.
     */
    static int bytes(ShardFrameLayout layout) {
        if (!layout.tables().isEmpty()) {
            return FrameInput.CHUNK;
        }
        long frame = (long) layout.range().length() * Float.BYTES + BESIDE_FLOATS;
        int bytes = LEAST;
        while (bytes < frame && bytes < FrameInput.CHUNK) {
            bytes *= 2;
        }
        return bytes;
    }
}
