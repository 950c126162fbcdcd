package dev.edl.runtime.wire.control.internal;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.bounds.TimeBound;
import dev.edl.runtime.wire.bounds.TimerService;
import dev.edl.runtime.wire.frames.Greeting;
import dev.edl.runtime.wire.frames.MessageChannel;
import dev.edl.runtime.wire.frames.UnauthenticatedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A caller's bulk transfers, which do not use its message connection. Each uses a separate connection. */
public final class BulkTransferClient {
    private final InetSocketAddress master;
    private final Handshake handshake;
    private final Greeting.Purpose purpose;
    private final TimerService timers;
    private final ConnectionSettings settings;
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
     * @param <T> result of the read
     */
    @FunctionalInterface
    public interface Reader<T> {
        T read(JsonNode head, InputStream from) throws IOException;
    }

    /** A call over a bulk connection. */
    @FunctionalInterface
    private interface Call<T> {
        T make(BulkTransfer transfer) throws IOException;
    }

    /**
     * Creates the bulk transfers of a message connection.
     *
     * @param purpose the session, which both ends of each connection prove
     * @param settings bounds of connecting, of each chunk and of a response
     */
    public BulkTransferClient(
            InetSocketAddress master,
            Handshake handshake,
            Greeting.Purpose purpose,
            TimerService timers,
            ConnectionSettings settings) {
        this.master = master;
        this.handshake = handshake;
        this.purpose = purpose;
        this.timers = timers;
        this.settings = settings;
    }

    private <T> T call(String name, Map<String, ?> args, Call<T> call) throws IOException {
        try (MessageChannel channel =
                MessageChannel.caller(SocketChannel.open(), handshake.security(), "the master", timers)) {
            synchronized (active) {
                if (ended) {
                    throw new IOException("the message connection to the master has ended");
                }
                active.add(channel);
            }
            try {
                channel.connect(master, TimeBound.connect(settings));
                BulkTransfer transfer = new BulkTransfer(channel, TimeBound.silence(settings));
                channel.greet(handshake, purpose, List.of(), TimeBound.greeting(settings));
                transfer.send(Message.ask(0, name, args));
                return call.make(transfer);
            } finally {
                synchronized (active) {
                    active.remove(channel);
                }
            }
        } catch (UnauthenticatedException e) {
            throw new IOException(name + ": the master " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException(name + ": " + ExceptionText.of(e), e);
        }
    }

    /** Closes the connections of all transfers, because the message connection has ended. */
    public void end() {
        synchronized (active) {
            ended = true;
            active.forEach(channel -> channel.close("the message connection to the master has ended"));
        }
    }

    /**
     * Reads content that the master sends.
     *
     * @throws RemoteFailure.Answered when the master does not have the content
     * @throws IOException when the content does not arrive completely
     */
    public <T> T download(String name, Map<String, ?> args, Reader<T> reader) throws IOException {
        return call(
                name,
                args,
                transfer -> reader.read(
                        transfer.receive(TimeBound.silence(settings)).body(), transfer.in()));
    }

    /**
     * Sends content to the master, and waits for its response.
     *
     * @throws RemoteFailure.Answered when the master could not accept the content
     * @throws IOException when the content does not arrive completely
     */
    public void upload(String name, Map<String, ?> args, Writer content) throws IOException {
        call(name, args, transfer -> {
            content.write(transfer.out());
            transfer.finish();
            return transfer.receive(TimeBound.answer(settings));
        });
    }
}
