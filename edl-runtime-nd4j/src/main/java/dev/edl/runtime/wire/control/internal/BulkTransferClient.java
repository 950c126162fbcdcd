package dev.edl.runtime.wire.control.internal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.wire.frames.MessageChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** A caller's calls beside its stream, which move many bytes: each has a connection of its own. */
public final class BulkTransferClient {
    private final InetSocketAddress master;
    private final MessageChannel.Alarm alarm;
    private final String session;
    private final Duration bound;
    private final Set<MessageChannel> active = new HashSet<>();
    private boolean ended;

    /** Writes the content of an upload. */
    @FunctionalInterface
    public interface Writer {
        void write(OutputStream to) throws IOException;
    }

    /**
     * Reads the content of a download.
     *
     * @param <T> what it is read to
     */
    @FunctionalInterface
    public interface Reader<T> {
        T read(JsonNode head, InputStream from) throws IOException;
    }

    /** What is done over a connection. */
    @FunctionalInterface
    private interface Call<T> {
        T make(BulkTransfer transfer) throws IOException;
    }

    /**
     * Makes the calls of a stream.
     *
     * @param session of the stream
     * @param bound the longest that a chunk takes
     */
    public BulkTransferClient(InetSocketAddress master, MessageChannel.Alarm alarm, String session, Duration bound) {
        this.master = master;
        this.alarm = alarm;
        this.session = session;
        this.bound = bound;
    }

    private <T> T call(String name, MessageArguments args, Call<T> call) throws IOException {
        try (MessageChannel channel = new MessageChannel(SocketChannel.open(), "the master", alarm)) {
            synchronized (active) {
                if (ended) {
                    throw new IOException("the stream has ended");
                }
                active.add(channel);
            }
            try {
                channel.connect(master, bound);
                BulkTransfer transfer = new BulkTransfer(channel, bound);
                transfer.send(Message.ask(0, name, args.and("session", session)));
                return call.make(transfer);
            } finally {
                synchronized (active) {
                    active.remove(channel);
                }
            }
        } catch (IOException e) {
            throw new IOException(name + ": " + ExceptionText.of(e), e);
        }
    }

    /** The stream has ended: the calls beside it end, too. */
    public void end() {
        synchronized (active) {
            ended = true;
            active.forEach(channel -> channel.close("the stream has ended"));
        }
    }

    /**
     * Reads what the master sends.
     *
     * @throws RemoteFailure.Answered when the master has it not
     * @throws IOException when it does not come whole
     */
    public <T> T download(String name, MessageArguments args, Reader<T> reader) throws IOException {
        return call(name, args, transfer -> reader.read(transfer.receive(bound).body(), transfer.in()));
    }

    /**
     * Sends bytes to the master, and waits for its answer.
     *
     * @param wait the longest wait for the answer behind the last byte
     * @throws RemoteFailure.Answered when the master could not take them
     * @throws IOException when they do not arrive whole
     */
    public void upload(String name, MessageArguments args, Writer content, Duration wait) throws IOException {
        call(name, args, transfer -> {
            content.write(transfer.out());
            transfer.finish();
            return transfer.receive(wait);
        });
    }
}
