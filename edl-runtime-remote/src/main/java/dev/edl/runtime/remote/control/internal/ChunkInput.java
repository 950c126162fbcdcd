package dev.edl.runtime.remote.control.internal;

import dev.edl.runtime.internal.text.Spans;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Reads bytes of a stream that come in chunks, and asks for the next one once one was read. For one reader. */
public final class ChunkInput extends InputStream {
    /** A chunk, the end, or why there are no more. */
    private static final class Part {
        private final byte[] bytes;
        private final boolean last;
        private final @Nullable String fault;

        private Part(byte[] bytes, boolean last, @Nullable String fault) {
            this.bytes = bytes;
            this.last = last;
            this.fault = fault;
        }
    }

    private final String name;
    private final Duration bound;
    private final IntConsumer request;
    private final LinkedBlockingQueue<Part> parts = new LinkedBlockingQueue<>();
    private byte[] chunk = {};
    private int at;
    private boolean ended;

    /**
     * Makes an input of which the first chunk was not asked for yet.
     *
     * @param name of what is received, in messages
     * @param bound the longest wait for a chunk
     * @param request asks for more chunks
     */
    public ChunkInput(String name, Duration bound, IntConsumer request) {
        this.name = name;
        this.bound = bound;
        this.request = request;
    }

    public void received(byte[] bytes) {
        parts.add(new Part(bytes, false, null));
    }

    public void completed() {
        parts.add(new Part(new byte[0], true, null));
    }

    public void failed(String fault) {
        parts.add(new Part(new byte[0], true, fault));
    }

    /** Reads the chunk before the content. */
    public Message head() throws IOException {
        byte[] bytes = chunk();
        if (bytes == null) {
            throw new IOException(name + ": the stream has ended before it began");
        }
        return head(bytes);
    }

    /** Reads the message of a first chunk. */
    public static Message head(byte[] chunk) {
        return Json.value(new ByteArrayInputStream(chunk), Message.class);
    }

    @Override
    public int read() throws IOException {
        return fill() ? chunk[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
        Objects.checkFromIndexSize(from, count, into.length);
        if (count == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int part = Math.min(count, chunk.length - at);
        System.arraycopy(chunk, at, into, from, part);
        at += part;
        return part;
    }

    /** Waits for a chunk with something left; whether there is one. */
    private boolean fill() throws IOException {
        while (at == chunk.length) {
            byte[] next = chunk();
            if (next == null) {
                return false;
            }
            chunk = next;
            at = 0;
        }
        return true;
    }

    private byte @Nullable [] chunk() throws IOException {
        if (ended) {
            return null;
        }
        request.accept(1);
        Part part;
        try {
            part = parts.poll(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(name + ": interrupted");
        }
        if (part == null) {
            throw new IOException(name + ": nothing came for " + Spans.of(bound));
        }
        if (part.last) {
            ended = true;
            if (part.fault != null) {
                throw new IOException(name + ": " + part.fault);
            }
            return null;
        }
        return part.bytes;
    }
}
