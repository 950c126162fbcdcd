package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.internal.threads.ManualTimers;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageJson;
import dev.edl.runtime.wire.frames.MessageChannel;
import dev.edl.runtime.wire.tls.ChannelBinding;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;

/** A caller of a master, or a program at a master's address, that a test controls byte by byte. */
final class Stranger implements AutoCloseable {
    final SocketChannel channel;
    final MessageChannel messages;

    Stranger(MasterListener listener) throws IOException {
        this(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port())));
    }

    private Stranger(SocketChannel channel) throws IOException {
        this.channel = channel;
        this.messages =
                MessageChannel.caller(channel, ChannelSecurity.plain(), "the master", new ManualTimers());
    }

    /** Waits for a caller of an address that should be the master's. */
    static Stranger accepted(ServerSocketChannel listening) throws IOException {
        return new Stranger(listening.accept());
    }

    void says(Message message) throws IOException {
        messages.write(MessageJson.bytes(message), Loopback.FRAME);
        messages.flush(Loopback.FRAME);
    }

    /** Returns the body of the next message. */
    JsonNode hears() throws IOException {
        byte[] message = messages.message(1 << 20, Loopback.FRAME);
        if (message == null) {
            throw new AssertionError("the master has ended the stream");
        }
        return Message.of(message).body();
    }

    static Message greeting() {
        return Message.tell("greet", Map.of("nonce", Loopback.SECRET.nonce()));
    }

    /** Connects and authenticates as a worker. */
    Stranger worker(String name) throws IOException {
        knocks(name).hears();
        return this;
    }

    /** Sends a worker's handshake, without waiting for the response. */
    Stranger knocks(String name) throws IOException {
        byte[] mine = Loopback.SECRET.nonce();
        says(Message.tell("greet", Map.of("nonce", mine)));
        byte[] theirs = MessageJson.value(hears().path("nonce"), byte[].class);
        says(Message.tell(
                "hello",
                Map.of(
                        "proof",
                        Loopback.SECRET.proof("worker", ChannelBinding.PLAIN, mine, theirs),
                        "hello",
                        new Hello(Hello.Role.WORKER, 0, name, Loopback.DIGEST),
                        "ports",
                        RemotePorts.SIGNATURE)));
        return this;
    }

    /** Greets the master on a bulk connection. Returns arguments with the proof of a caller of this session. */
    Map<String, ?> bulk(String session) throws IOException {
        byte[] mine = Loopback.SECRET.nonce();
        says(Message.tell("bulk", Map.of("session", session, "nonce", mine)));
        byte[] theirs = MessageJson.value(hears().path("nonce"), byte[].class);
        return Map.of("proof", Loopback.SECRET.proof("bulk caller of " + session, ChannelBinding.PLAIN, mine, theirs));
    }

    /** Returns the arguments of a request for a model, with the proof of {@link #bulk}. */
    static Map<String, Object> model(int version, Map<String, ?> proof) {
        Map<String, Object> arguments = new HashMap<>(proof);
        arguments.put("version", version);
        arguments.put("known", false);
        return arguments;
    }

    void sends(byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            channel.write(left);
        }
    }

    /** Returns a message in its wire format. */
    static byte[] bytes(Message message) throws IOException {
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel to = SocketChannel.open(listening.getLocalAddress());
                    SocketChannel from = listening.accept()) {
                new Stranger(to).says(message);
                to.shutdownOutput();
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                ByteBuffer part = ByteBuffer.allocate(1024);
                while (from.read(part) >= 0) {
                    all.write(part.array(), 0, part.position());
                    part.clear();
                }
                return all.toByteArray();
            }
        }
    }

    @Override
    public void close() {
        messages.close();
    }
}
