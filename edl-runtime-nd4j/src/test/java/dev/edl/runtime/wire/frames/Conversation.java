package dev.edl.runtime.wire.frames;

import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.wire.tls.ChannelBinding;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A hand-made worker that connects to a server of four floats, pulls, and pushes ones, byte for byte. */
final class Conversation {
    /** HELLO, PROOF, PULL, PUSH. */
    static final int FRAMES = 4;

    private final Loopback loopback;
    private final String worker;

    /** Writes one frame. */
    @FunctionalInterface
    interface Writing {
        void to(FrameOutput out) throws IOException;
    }

    Conversation(Loopback loopback) {
        this(loopback, "w");
    }

    Conversation(Loopback loopback, String worker) {
        this.loopback = loopback;
        this.worker = worker;
    }

    /** Returns the bytes that an output sends. */
    static byte[] bytes(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            FrameOutput out = new FrameOutput(Channels.newChannel(bytes));
            writing.to(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Returns a frame of the conversation, which follows the server's nonce and is for a push with this id. */
    byte[] frame(int number, byte[] mine, byte[] theirs, long push) {
        return bytes(out -> {
            switch (number) {
                case 0 -> hello(out, mine);
                case 1 ->
                    proof(
                            out,
                            loopback.handshake.proof(
                                    layout().purpose(Loopback.RUN).caller(ChannelBinding.PLAIN), mine, theirs));
                case 2 -> out.begin(FrameKind.PULL, 0, 2, 0, 0, 0).end();
                default -> push(out, push);
            }
        });
    }

    private ShardFrameLayout layout() {
        return loopback.served(0, 1).layout();
    }

    private static void hello(FrameOutput out, byte[] nonce) throws IOException {
        out.begin(FrameKind.HELLO, 0, 1, 0, 0, 36).bytes(nonce).text("").end();
    }

    private void proof(FrameOutput out, byte[] proof) throws IOException {
        List<String> texts = List.of(Loopback.RUN, worker, layout().place(), layout().model());
        int size = 36 + texts.stream().mapToInt(FrameOutput::sizeOf).sum();
        out.begin(FrameKind.PROOF, 0, 1, 0, 0, size).bytes(proof).writeInt(texts.size());
        for (String text : texts) {
            out.text(text);
        }
        out.end();
    }

    private static void push(FrameOutput out, long id) throws IOException {
        ShardLife life = new ShardLife(Loopback.RUN, 1, 0);
        out.begin(FrameKind.PUSH, 0, 3, id, 0, 16 + FrameOutput.sizeOf(life) + 16)
                .writeLong(id + 1)
                .writeLong(-1)
                .life(life)
                .floats(new float[] {1, 1, 1, 1}, 0, 4)
                .end();
    }

    /** Sends HELLO and PROOF over a connected socket, and returns the input behind WELCOME. */
    FrameInput greet(Socket socket) throws IOException {
        FrameInput in = new FrameInput(Channels.newChannel(socket.getInputStream()));
        byte[] mine = loopback.handshake.nonce();
        byte[] theirs = new byte[32];
        for (int number = 0; number < 2; number++) {
            socket.getOutputStream().write(frame(number, mine, theirs, 0));
            answer(in, theirs);
        }
        return in;
    }

    /**
     * Sends the frames up to one, which has a fault and is the last, and waits until the server has closed the
     * connection.
     *
     * @return the kinds of the responses
     */
    List<FrameKind> talk(int last, UnaryOperator<byte[]> fault, long push) throws IOException {
        List<FrameKind> answers = new ArrayList<>();
        try (Socket socket = new Socket()) {
            socket.connect(loopback.addresses().get(0));
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(20_000);
            FrameInput in = new FrameInput(Channels.newChannel(socket.getInputStream()));
            byte[] mine = loopback.handshake.nonce();
            byte[] theirs = new byte[32];
            for (int number = 0; number <= last; number++) {
                byte[] frame = frame(number, mine, theirs, push);
                socket.getOutputStream().write(number == last ? fault.apply(frame) : frame);
                if (number < last) {
                    answers.add(answer(in, theirs));
                }
            }
            socket.shutdownOutput();
            for (FrameKind kind = answer(in, theirs); kind != null; kind = answer(in, theirs)) {
                answers.add(kind);
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the server has left the connection open", e);
        } catch (EOFException | FrameException e) {
            throw new AssertionError("the server sent what is not a frame", e);
        } catch (IOException reset) {
            // The server closed it before it had read all.
        }
        return answers;
    }

    private static @Nullable FrameKind answer(FrameInput in, byte[] nonce) throws IOException {
        if (!in.next(kind -> 1000)) {
            return null;
        }
        switch (in.kind()) {
            case CHALLENGE -> {
                System.arraycopy(in.bytes(32), 0, nonce, 0, 32);
                in.bytes(32);
            }
            case WELCOME -> in.life();
            case VALUES -> {
                in.life();
                in.floats(new float[4], 4);
            }
            case REFUSED, AWAY, ERROR -> in.text();
            default -> {}
        }
        in.end();
        return in.kind();
    }
}
