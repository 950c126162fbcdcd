package dev.edl.runtime.remote.control.internal;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The methods of the master's service. */
public final class Methods {
    public static final String SERVICE = "dev.edl.Master";

    /** The most bytes of a chunk. */
    public static final int CHUNK = 1 << 20;

    /** The most bytes of a message: a chunk, or the largest body. */
    public static final int LARGEST = 2 << 20;

    private static final MethodDescriptor.Marshaller<Message> MESSAGE = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(Message message) {
            return new ByteArrayInputStream(Json.bytes(message));
        }

        @Override
        public Message parse(InputStream bytes) {
            return Json.value(bytes, Message.class);
        }
    };

    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] chunk) {
            return new ByteArrayInputStream(chunk);
        }

        @Override
        public byte[] parse(InputStream bytes) {
            try {
                return bytes.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    /** One worker's stream, for as long as it works with one master. */
    public static final MethodDescriptor<Message, Message> WORK =
            method("Work", MethodType.BIDI_STREAMING, MESSAGE, MESSAGE);

    /** One server's stream, for as long as it serves with one master. */
    public static final MethodDescriptor<Message, Message> SERVE =
            method("Serve", MethodType.BIDI_STREAMING, MESSAGE, MESSAGE);

    /** A model that a worker asks for: a {@link Message} in the first chunk, then content. */
    public static final MethodDescriptor<Message, byte[]> MODEL =
            method("Model", MethodType.SERVER_STREAMING, MESSAGE, BYTES);

    /** The state that a server has to restore: a {@link Message} in the first chunk, then content. */
    public static final MethodDescriptor<Message, byte[]> SAVED =
            method("Saved", MethodType.SERVER_STREAMING, MESSAGE, BYTES);

    /** Bytes for the master: a {@link Message} in the first chunk, then content. */
    public static final MethodDescriptor<byte[], Message> UPLOAD =
            method("Upload", MethodType.CLIENT_STREAMING, BYTES, MESSAGE);

    private Methods() {}

    private static <Q, A> MethodDescriptor<Q, A> method(
            String name,
            MethodType type,
            MethodDescriptor.Marshaller<Q> request,
            MethodDescriptor.Marshaller<A> response) {
        return MethodDescriptor.newBuilder(request, response)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setType(type)
                .build();
    }
}
