package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageJson;
import dev.edl.runtime.wire.frames.Greeting;
import dev.edl.runtime.wire.frames.MessageChannel;
import dev.edl.runtime.wire.tls.ChannelBinding;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/** A caller of a master, or a program at a master's address, that a test controls byte by byte. */
final class Stranger implements AutoCloseable {
    final SocketChannel channel;
    final MessageChannel messages;

    Stranger(MasterEndpoint listener) throws IOException {
        this(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port())));
    }

    private Stranger(SocketChannel channel) throws IOException {
        this.channel = channel;
        this.messages = MessageChannel.caller(channel, ChannelSecurity.plain(), "the master", new ManualTimers());
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

    /** Returns HELLO for a session, with a nonce of zeros. */
    static byte[] hello(String session) {
        byte[] text = session.getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(36 + (text.length + 3 & ~3)).order(ByteOrder.LITTLE_ENDIAN);
        return frame(1, body.put(new byte[32]).putInt(text.length).put(text).array());
    }

    /** Returns a frame with a body, by the table of docs/wire.md. */
    static byte[] frame(int kind, byte[] body) {
        ByteBuffer frame = ByteBuffer.allocate(36 + body.length).order(ByteOrder.LITTLE_ENDIAN);
        frame.put("EDLF".getBytes(StandardCharsets.US_ASCII)).putShort((short) 3);
        frame.put((byte) kind).put((byte) 0).putInt(body.length);
        frame.position(32).put(body);
        return sealed(frame.array());
    }

    /** Sets the checksum of a frame. */
    static byte[] sealed(byte[] frame) {
        CRC32C crc = new CRC32C();
        crc.update(frame, 0, frame.length - Integer.BYTES);
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(frame.length - Integer.BYTES, (int)
                crc.getValue());
        return frame;
    }

    /** Sends HELLO with a nonce of zeros, and returns the master's nonce. */
    byte[] begins(String session) throws IOException {
        sends(hello(session));
        ByteBuffer challenge = ByteBuffer.allocate(36 + 64);
        reads(challenge);
        return Arrays.copyOfRange(challenge.array(), 32, 64);
    }

    /** Returns the proof of a caller of a session, after {@link #begins}. */
    static byte[] proof(String session, byte[] theirs) {
        return Loopback.SECRET.proof(
                "caller/" + ChannelBinding.PLAIN.text() + "/" + Loopback.RUN + "/master/" + session,
                new byte[32],
                theirs);
    }

    /** Sends a proof without an identity. */
    void proves(byte[] proof) throws IOException {
        sends(frame(3, Arrays.copyOf(proof, 36)));
    }

    /** Reads a caller's HELLO. */
    void readsHello() throws IOException {
        ByteBuffer header = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        reads(header);
        reads(ByteBuffer.allocate(header.getInt(8) + Integer.BYTES));
    }

    private void reads(ByteBuffer all) throws IOException {
        while (all.hasRemaining()) {
            if (channel.read(all) < 0) {
                throw new EOFException("the peer has left");
            }
        }
    }

    /** Connects and authenticates as a worker. */
    Stranger worker(String name) throws IOException {
        knocks(name).hears();
        return this;
    }

    /** Authenticates as a worker, without waiting for the response. */
    Stranger knocks(String name) throws IOException {
        messages.greet(
                Loopback.SECRET,
                Greeting.Purpose.master(Loopback.RUN),
                new Hello(Hello.Role.WORKER, 0, name, Loopback.DIGEST).texts(),
                Loopback.FRAME);
        return this;
    }

    /** Authenticates on a content connection of a session. */
    void content(String session) throws IOException {
        messages.greet(Loopback.SECRET, Greeting.Purpose.content(Loopback.RUN, session), List.of(), Loopback.FRAME);
    }

    /** Returns the arguments of a request for a model. */
    static Map<String, Object> model(int version) {
        return Map.of("version", version, "known", false);
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
