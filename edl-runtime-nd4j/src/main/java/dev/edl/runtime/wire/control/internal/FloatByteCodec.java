package dev.edl.runtime.wire.control.internal;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Converts floats to and from little-endian bytes. */
public final class FloatByteCodec {
    private static final int BLOCK = 1 << 16;

    private FloatByteCodec() {}

    public static void write(float[] values, OutputStream to) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(BLOCK * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int from = 0; from < values.length; from += BLOCK) {
            int count = Math.min(BLOCK, values.length - from);
            block.clear().asFloatBuffer().put(values, from, count);
            to.write(block.array(), 0, count * Float.BYTES);
        }
    }

    /** Reads {@code count} floats. Allocates memory only as they arrive, because the count comes from the peer. */
    public static float[] read(InputStream from, int count) throws IOException {
        if (count < 0) {
            throw new IllegalArgumentException("a number of floats must be at least 0, was " + count);
        }
        float[] values = {};
        byte[] block = new byte[BLOCK * Float.BYTES];
        for (int at = 0; at < count; at += BLOCK) {
            int part = Math.min(BLOCK, count - at);
            if (from.readNBytes(block, 0, part * Float.BYTES) < part * Float.BYTES) {
                throw new EOFException("of " + count + " floats only " + at + " arrived");
            }
            values = Arrays.copyOf(values, Math.min(count, Math.max(at + part, 2 * values.length)));
            ByteBuffer.wrap(block)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asFloatBuffer()
                    .get(values, at, part);
        }
        return values;
    }
}
