package dev.edl.runtime.wire.control.internal;

import dev.edl.runtime.wire.bounds.TimeBound;
import dev.edl.runtime.wire.frames.MessageChannel;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * One bulk connection, which carries large content instead of the message connection: a message, content in chunks, and a response.
 * For one thread.
 */
public final class BulkTransfer {
    private final MessageChannel channel;
    private final TimeBound bound;
    private final InputStream in = new Input();
    private final OutputStream out = new BufferedOutputStream(new Output(), MessageChannel.CHUNK);

    /**
     * Creates a transfer.
     *
     * @param bound the longest time to transfer one message or one chunk
     */
    public BulkTransfer(MessageChannel channel, TimeBound bound) {
        this.channel = channel;
        this.bound = bound;
    }

    /** Sends a message, before the content. */
    public void send(Message message) throws IOException {
        channel.write(MessageJson.bytes(message), bound);
        channel.flush(bound);
    }

    /**
     * Waits for a message.
     *
     * @param wait the longest wait
     * @throws RemoteFailure.Answered when the peer reports a failure
     */
    public Message receive(TimeBound wait) throws IOException {
        byte[] bytes = channel.message(MessageConnection.LARGEST, wait);
        if (bytes == null) {
            throw new EOFException(channel + " has not answered");
        }
        Message message = Message.of(bytes);
        if (message.kind() == Message.Kind.FAILED) {
            throw new RemoteFailure.Answered(MessageJson.value(message.body(), RemoteFailure.class));
        }
        return message;
    }

    /** Returns the stream of the content that the peer sends. */
    public InputStream in() {
        return in;
    }

    /** Returns the stream for content to send; {@link #finish} completes it. */
    public OutputStream out() {
        return out;
    }

    public void finish() throws IOException {
        out.flush();
        channel.last(null, bound);
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            for (int at = from; at < from + count; at += MessageChannel.CHUNK) {
                channel.writeChunk(
                        Arrays.copyOfRange(bytes, at, Math.min(at + MessageChannel.CHUNK, from + count)), bound);
            }
        }
    }

    private final class Input extends InputStream {
        private ByteArrayInputStream chunk = new ByteArrayInputStream(new byte[0]);
        private boolean whole;

        @Override
        public int read() throws IOException {
            return fill() ? chunk.read() : -1;
        }

        @Override
        public int read(byte[] into, int from, int count) throws IOException {
            if (count == 0) {
                return 0;
            }
            return fill() ? chunk.read(into, from, count) : -1;
        }

        /** Waits for a nonempty chunk. Returns false at the end of the content. */
        private boolean fill() throws IOException {
            while (!whole && chunk.available() == 0) {
                byte[] next = channel.chunk(bound);
                whole = next == null;
                if (next != null) {
                    chunk = new ByteArrayInputStream(next);
                }
            }
            return !whole;
        }
    }

    /** Returns the text for people: the peer's name. */
    @Override
    public String toString() {
        return channel.toString();
    }
}
