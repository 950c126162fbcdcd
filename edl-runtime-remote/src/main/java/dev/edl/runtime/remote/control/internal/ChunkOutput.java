package dev.edl.runtime.remote.control.internal;

import dev.edl.runtime.internal.text.Spans;
import io.grpc.stub.CallStreamObserver;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Writes bytes to a stream in chunks, at most as fast as they leave. For one thread. */
public final class ChunkOutput extends OutputStream {
    private final CallStreamObserver<byte[]> out;
    private final String name;
    private final Duration bound;
    private final byte[] chunk = new byte[Methods.CHUNK];
    /** A permit for each moment in which the stream may have become ready. */
    private final Semaphore ready = new Semaphore(0);

    private int filled;
    private volatile boolean ended;

    /**
     * Makes an output on a stream that has not begun, since it sets the handler of the stream's readiness.
     *
     * @param name of what is sent, in messages
     * @param bound the longest wait until a chunk can leave
     */
    public ChunkOutput(CallStreamObserver<byte[]> out, String name, Duration bound) {
        this.out = out;
        this.name = name;
        this.bound = bound;
        out.setOnReadyHandler(ready::release);
    }

    /** The receiver has ended the stream; what is written from now on fails. */
    public void end() {
        ended = true;
        ready.release();
    }

    /** Sends a chunk of its own before the content. */
    public void head(Message message) throws IOException {
        send(Json.bytes(message));
    }

    @Override
    public void write(int b) throws IOException {
        if (filled == chunk.length) {
            flush();
        }
        chunk[filled++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        int at = from;
        int left = count;
        while (left > 0) {
            if (filled == chunk.length) {
                flush();
            }
            int part = Math.min(left, chunk.length - filled);
            System.arraycopy(bytes, at, chunk, filled, part);
            filled += part;
            at += part;
            left -= part;
        }
    }

    /** Sends what is written so far. */
    @Override
    public void flush() throws IOException {
        if (filled > 0) {
            send(Arrays.copyOf(chunk, filled));
            filled = 0;
        }
    }

    /** Sends the rest and ends the stream. */
    @Override
    public void close() throws IOException {
        flush();
        out.onCompleted();
    }

    private void send(byte[] bytes) throws IOException {
        awaitReady();
        try {
            out.onNext(bytes);
        } catch (IllegalStateException gone) {
            throw new IOException(name + ": the receiver has ended the stream", gone);
        }
    }

    private void awaitReady() throws IOException {
        try {
            while (!out.isReady() && !ended) {
                if (!ready.tryAcquire(bound.toNanos(), TimeUnit.NANOSECONDS)) {
                    throw new IOException(name + ": the receiver took nothing for " + Spans.of(bound));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(name + ": interrupted");
        }
        if (ended) {
            throw new IOException(name + ": the receiver has ended the stream");
        }
    }
}
