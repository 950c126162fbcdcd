package dev.edl.runtime.wire.frames;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What one connection at a time receives into and sends from. It is kept for later connections: direct memory is free again only when
 * the garbage collector has run.
 */
record ConnectionBuffers(ByteBuffer received, ByteBuffer sent) {
    static ConnectionBuffers allocate() {
        return new ConnectionBuffers(of(FrameInput.CHUNK), of(FrameInput.CHUNK));
    }

    static ByteBuffer of(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
