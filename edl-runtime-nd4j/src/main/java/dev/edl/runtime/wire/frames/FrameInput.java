package dev.edl.runtime.wire.frames;

import dev.edl.runtime.model.StepResultCheck;
import dev.edl.runtime.ps.ShardLife;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Reads frames. No part of a frame may take effect before {@link #end} has verified it. For one thread.
 *
 * <p>It buffers one chunk. It allocates memory by a length from the wire only if that length is within the frame's
 * limit.
 */
final class FrameInput {
    /** {@code EDLF} in a hex dump. */
    static final int MAGIC = 'E' | 'D' << 8 | 'L' << 16 | 'F' << 24;

    static final int HEADER = 32;
    static final int CHECKSUM = 4;
    static final int CHUNK = 256 * 1024;

    private final ReadableByteChannel from;
    private final Object peer;
    private final ByteBuffer chunk;
    private final CRC32C crc = new CRC32C();
    /** Position in the chunk of the frame's first byte that the checksum does not cover yet. */
    private int unsummed;

    private FrameKind kind = FrameKind.ERROR;
    private int flags;
    private int request;
    private long a;
    private long b;
    /** Number of bytes of the body that were not read yet. */
    private long left;

    FrameInput(ReadableByteChannel from) {
        this(from, CHUNK, from);
    }

    /**
     * Creates an input with a chunk of this many bytes.
     *
     * @param peer object whose text names the peer in messages
     */
    FrameInput(ReadableByteChannel from, int bytes, Object peer) {
        this(from, ConnectionBuffers.of(bytes), peer);
    }

    /** Creates an input over a chunk of {@link ConnectionBuffers}, and ignores content from an earlier connection. */
    FrameInput(ReadableByteChannel from, ByteBuffer chunk, Object peer) {
        this.from = from;
        this.peer = peer;
        this.chunk = chunk.clear().limit(0);
    }

    /** Reads the next frame's header. Returns false at the end of the stream. */
    boolean next(FrameLimits limits) throws IOException {
        crc.reset();
        unsummed = chunk.position();
        if (!chunk.hasRemaining() && !begin()) {
            return false;
        }
        need(Integer.BYTES);
        int magic = chunk.getInt();
        if (magic != MAGIC) {
            throw refused("a frame must begin with 45444c46, began with "
                    + HexFormat.of().toHexDigits(Integer.reverseBytes(magic)));
        }
        need(HEADER - Integer.BYTES);
        int protocol = Short.toUnsignedInt(chunk.getShort());
        int code = Byte.toUnsignedInt(chunk.get());
        flags = Byte.toUnsignedInt(chunk.get());
        left = Integer.toUnsignedLong(chunk.getInt());
        request = chunk.getInt();
        a = chunk.getLong();
        b = chunk.getLong();
        kind = kind(code);
        long most = limits.body(kind);
        if (most == FrameLimits.NONE) {
            throw refused(kind + " is not allowed here");
        }
        if (left > most || left % Integer.BYTES != 0) {
            throw refused("the body of " + kind + " must have at most " + most + " bytes here and a multiple of 4, had "
                    + left);
        }
        if (protocol != FrameKind.PROTOCOL && kind != FrameKind.REFUSED) {
            // Only a complete frame is reported, because its sender will not retry.
            skip();
            throw new ProtocolVersionException(protocol);
        }
        return true;
    }

    private FrameKind kind(int code) throws FrameException {
        try {
            return FrameKind.of(code);
        } catch (FrameException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    /** Returns whether bytes behind the last frame have arrived. */
    boolean hasMore() {
        return chunk.hasRemaining();
    }

    /** Returns the exception for an invalid frame of this connection. */
    FrameException refused(String why) {
        return new FrameException(peer + ": " + why);
    }

    /** Returns the exception for a connection that the peer has closed. */
    EOFException ended(String where) {
        return new EOFException(peer + ": the connection ended " + where);
    }

    /** Skips the rest of the body, and ends the frame. */
    void skip() throws IOException {
        while (left > 0) {
            need(1);
            int part = (int) Math.min(chunk.remaining(), left);
            chunk.position(chunk.position() + part);
            left -= part;
        }
        end();
    }

    private boolean begin() throws IOException {
        chunk.clear();
        unsummed = 0;
        int read = from.read(chunk);
        chunk.flip();
        return read > 0;
    }

    /** Makes this many bytes of the frame available in the chunk. */
    private void need(int bytes) throws IOException {
        if (chunk.remaining() >= bytes) {
            return;
        }
        sum();
        chunk.compact();
        unsummed = 0;
        while (chunk.position() < bytes) {
            if (from.read(chunk) < 0) {
                throw ended("within a frame");
            }
        }
        chunk.flip();
    }

    private void sum() {
        if (chunk.position() > unsummed) {
            crc.update(chunk.duplicate().limit(chunk.position()).position(unsummed));
            unsummed = chunk.position();
        }
    }

    private void take(long bytes) throws FrameException {
        if (bytes > left) {
            throw refused("the body of " + kind + " ends " + (bytes - left) + " bytes too early");
        }
        left -= bytes;
    }

    FrameKind kind() {
        return kind;
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    int request() {
        return request;
    }

    long a() {
        return a;
    }

    long b() {
        return b;
    }

    int readInt() throws IOException {
        take(Integer.BYTES);
        need(Integer.BYTES);
        return chunk.getInt();
    }

    long readLong() throws IOException {
        take(Long.BYTES);
        need(Long.BYTES);
        return chunk.getLong();
    }

    /** Reads bytes of the body.
     *
     * @param count number of bytes, a multiple of four */
    byte[] bytes(int count) throws IOException {
        take(count);
        byte[] bytes = new byte[count];
        for (int at = 0; at < count; ) {
            need(Math.min(Integer.BYTES, count - at));
            int part = Math.min(chunk.remaining(), count - at);
            chunk.get(bytes, at, part);
            at += part;
        }
        return bytes;
    }

    /** Reads the whole body, whose length without padding is {@code a}. */
    byte[] content() throws IOException {
        if (a < 0 || a > left || left - a >= Integer.BYTES) {
            throw refused("the body of " + kind + " has " + left + " bytes, but must have " + a
                    + " and at most 3 bytes of padding");
        }
        byte[] padded = bytes((int) left);
        return a == padded.length ? padded : Arrays.copyOf(padded, (int) a);
    }

    String text() throws IOException {
        return text(FrameLimits.TEXT);
    }

    /** Reads a text of at most this many bytes. */
    String text(int most) throws IOException {
        int length = readInt();
        if (length < 0 || length > most) {
            throw refused("a text must have at most " + most + " bytes, had " + length);
        }
        byte[] bytes = bytes(FrameOutput.padded(length));
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    ShardLife life() throws IOException {
        String run = text();
        long term = readLong();
        long number = readLong();
        if (term < 0 || number < 0) {
            throw refused("a life needs a term and a number of at least 0, was " + term + " and " + number);
        }
        return new ShardLife(run, term, number);
    }

    /**
     * Reads the number of rows that follow, each of this many bytes. Rejects a number for which the body is too short.
     */
    int rows(long bytes) throws IOException {
        int count = readInt();
        if (count < 0 || count * bytes > left) {
            throw refused("the body of " + kind + " has room for " + left / bytes + " rows, had "
                    + Integer.toUnsignedLong(count));
        }
        return count;
    }

    void longs(long[] into, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            into[i] = readLong();
        }
    }

    void floats(float[] into, int count) throws IOException {
        take((long) count * Float.BYTES);
        for (int at = 0; at < count; ) {
            at += part(into, at, count);
        }
    }

    /** Reads floats and returns whether all are finite. Checks each part while it is in the processor's cache. */
    boolean finiteFloats(float[] into, int count) throws IOException {
        take((long) count * Float.BYTES);
        boolean finite = true;
        for (int at = 0; at < count; ) {
            int to = at + part(into, at, count);
            finite &= StepResultCheck.finite(into, at, to);
            at = to;
        }
        return finite;
    }

    private int part(float[] into, int at, int to) throws IOException {
        need(Float.BYTES);
        int part = Math.min(chunk.remaining() / Float.BYTES, to - at);
        chunk.asFloatBuffer().get(into, at, part);
        chunk.position(chunk.position() + part * Float.BYTES);
        return part;
    }

    /** Checks that the whole body was read and that the frame matches its checksum. */
    void end() throws IOException {
        if (left != 0) {
            throw refused("the body of " + kind + " has " + left + " bytes too many");
        }
        need(CHECKSUM);
        sum();
        int expected = (int) crc.getValue();
        int sent = chunk.getInt();
        unsummed = chunk.position();
        if (expected != sent) {
            throw refused("the checksum of " + kind + " must be " + Integer.toHexString(expected) + ", was "
                    + Integer.toHexString(sent));
        }
    }

    /** Returns the text for people, for example {@code PUSH 7 of 12, 8}. */
    @Override
    public String toString() {
        return kind + " " + request + " of " + a + ", " + b;
    }
}
