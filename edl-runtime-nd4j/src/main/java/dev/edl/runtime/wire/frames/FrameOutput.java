package dev.edl.runtime.wire.frames;

import dev.edl.runtime.ps.ShardLife;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Writes frames. The chunk is sent when it is full and at {@link #flush}. For one thread. */
final class FrameOutput {
    /** The largest multiple of four that a frame's length field can hold. */
    static final long LONGEST = 0xFFFF_FFFCL;

    private final WritableByteChannel to;
    private final ByteBuffer chunk;
    private final CRC32C crc = new CRC32C();
    private int unsummed;
    private long left;

    FrameOutput(WritableByteChannel to) {
        this(to, FrameInput.CHUNK);
    }

    /** Creates an output with a chunk of this many bytes. */
    FrameOutput(WritableByteChannel to, int bytes) {
        this(to, ConnectionBuffers.of(bytes));
    }

    /** Creates an output over a chunk of {@link ConnectionBuffers}, and ignores content from an earlier connection. */
    FrameOutput(WritableByteChannel to, ByteBuffer chunk) {
        this.to = to;
        this.chunk = chunk.clear();
    }

    /**
     * Begins a frame with a body of this many bytes.
     *
     * @throws IllegalArgumentException when the length field cannot hold the size; nothing was written
     */
    FrameOutput begin(FrameKind kind, int flags, int request, long a, long b, long body) throws IOException {
        if (body > LONGEST) {
            throw new IllegalArgumentException("the body of " + kind + " must have at most " + LONGEST + " bytes, had "
                    + body + "; with more parameter servers each of them has fewer");
        }
        ensureCapacity(FrameInput.HEADER);
        crc.reset();
        unsummed = chunk.position();
        left = body;
        chunk.putInt(FrameInput.MAGIC).putShort((short) FrameKind.PROTOCOL);
        chunk.put((byte) kind.code()).put((byte) flags).putInt((int) body);
        chunk.putInt(request).putLong(a).putLong(b);
        return this;
    }

    private void ensureCapacity(int bytes) throws IOException {
        if (chunk.remaining() < bytes) {
            flush();
        }
    }

    private void sum() {
        if (chunk.position() > unsummed) {
            crc.update(chunk.duplicate().limit(chunk.position()).position(unsummed));
            unsummed = chunk.position();
        }
    }

    /** Sends the content of the chunk. */
    void flush() throws IOException {
        sum();
        chunk.flip();
        while (chunk.hasRemaining()) {
            to.write(chunk);
        }
        chunk.clear();
        unsummed = 0;
    }

    private void take(long bytes) {
        left -= bytes;
        if (left < 0) {
            throw new IllegalStateException("the body is " + -left + " bytes longer than announced");
        }
    }

    FrameOutput writeInt(int value) throws IOException {
        take(Integer.BYTES);
        ensureCapacity(Integer.BYTES);
        chunk.putInt(value);
        return this;
    }

    FrameOutput writeLong(long value) throws IOException {
        take(Long.BYTES);
        ensureCapacity(Long.BYTES);
        chunk.putLong(value);
        return this;
    }

    /** Writes bytes of the body, whose number is a multiple of four. */
    FrameOutput bytes(byte[] bytes) throws IOException {
        take(bytes.length);
        for (int at = 0; at < bytes.length; ) {
            ensureCapacity(Integer.BYTES);
            int part = Math.min(chunk.remaining(), bytes.length - at);
            chunk.put(bytes, at, part);
            at += part;
        }
        return this;
    }

    /** Writes the whole body: bytes, and zeros up to a multiple of four. */
    FrameOutput content(byte[] bytes) throws IOException {
        return bytes(bytes.length == padded(bytes.length) ? bytes : Arrays.copyOf(bytes, padded(bytes.length)));
    }

    FrameOutput text(String text) throws IOException {
        byte[] bytes = utf8(text);
        writeInt(bytes.length);
        return bytes(Arrays.copyOf(bytes, padded(bytes.length)));
    }

    FrameOutput life(ShardLife life) throws IOException {
        return text(life.run()).writeLong(life.term()).writeLong(life.number());
    }

    FrameOutput floats(float[] from, int first, int count) throws IOException {
        take((long) count * Float.BYTES);
        for (int at = 0; at < count; ) {
            ensureCapacity(Float.BYTES);
            int part = Math.min(chunk.remaining() / Float.BYTES, count - at);
            chunk.asFloatBuffer().put(from, first + at, part);
            chunk.position(chunk.position() + part * Float.BYTES);
            at += part;
        }
        return this;
    }

    /** Ends the frame, which may stay in the chunk until {@link #flush}. */
    FrameOutput end() throws IOException {
        if (left != 0) {
            throw new IllegalStateException("the body is " + left + " bytes shorter than announced");
        }
        ensureCapacity(FrameInput.CHECKSUM);
        sum();
        chunk.putInt((int) crc.getValue());
        unsummed = chunk.position();
        return this;
    }

    static int padded(int bytes) {
        return bytes + 3 & ~3;
    }

    /** Returns the size of a text in a frame, in bytes. */
    static int sizeOf(String text) {
        return Integer.BYTES + padded(utf8(text).length);
    }

    static int sizeOf(ShardLife life) {
        return sizeOf(life.run()) + 2 * Long.BYTES;
    }

    private static byte[] utf8(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= FrameLimits.TEXT - Integer.BYTES
                ? bytes
                : Arrays.copyOf(bytes, FrameLimits.TEXT - Integer.BYTES);
    }
}
