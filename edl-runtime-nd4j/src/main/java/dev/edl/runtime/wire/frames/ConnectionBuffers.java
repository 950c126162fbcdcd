package dev.edl.runtime.wire.frames;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Receive and send buffers, which one connection uses at a time. They are reused by later connections, because direct
 * memory is freed only by a garbage collection.
 */
record ConnectionBuffers(ByteBuffer received, ByteBuffer sent) {
    static ConnectionBuffers allocate() {
        return new ConnectionBuffers(of(FrameInput.CHUNK), of(FrameInput.CHUNK));
    }

    static ByteBuffer of(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
