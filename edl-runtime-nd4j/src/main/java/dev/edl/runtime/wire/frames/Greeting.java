package dev.edl.runtime.wire.frames;

import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.tls.ChannelBinding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The first frames of each connection, by which both ends prove that they have the job's token:
 *
 * <ol>
 *   <li>the caller sends HELLO with its nonce, and the session for a content connection,
 *   <li>the called end sends CHALLENGE with its nonce and its proof,
 *   <li>the caller checks that proof, and sends PROOF with its own and its identity.
 * </ol>
 *
 * <p>Before CHALLENGE is checked, any program at the address may have answered, so no response refuses the caller.
 */
public final class Greeting {
    private static final int NONCE = 32;
    private static final int PROOF = 32;
    /** Largest size of the caller's identity in bytes. */
    private static final int IDENTITY = 64 * 1024;
    /** Largest number of its texts. */
    private static final int MOST_TEXTS = 16;

    private Greeting() {}

    /**
     * What a connection serves. Both proofs cover it, so a proof is valid for no other connection.
     *
     * @param run name of the run
     * @param place part of the job that the called end is: {@code master}, or a shard's range
     * @param session session to which a content connection belongs; empty for others
     */
    public record Purpose(String run, String place, String session) {
        /** Returns the purpose of a connection for messages to and from the master. */
        public static Purpose master(String run) {
            return new Purpose(run, "master", "");
        }

        /** Returns the purpose of a connection for content of a session with the master. */
        public static Purpose content(String run, String session) {
            return new Purpose(run, "master", session);
        }

        private String proves(String side, ChannelBinding binding) {
            return String.join("/", side, binding.text(), run, place, session);
        }

        /** Returns the proof text of the called end. */
        String called(ChannelBinding binding) {
            return proves("called", binding);
        }

        /** Returns the proof text of the caller. */
        String caller(ChannelBinding binding) {
            return proves("caller", binding);
        }

        /** Returns the text for people, for example {@code master of run "mnist.1"}, without the session. */
        @Override
        public String toString() {
            return place + " of run \"" + run + "\"";
        }
    }

    /** Returns the purpose of a connection by the session in HELLO. */
    @FunctionalInterface
    public interface Purposes {
        Purpose of(String session) throws IOException;
    }

    /**
     * An authenticated caller.
     *
     * @param session session of a content connection; empty for others
     * @param identity texts by which the caller identifies itself
     */
    public record Caller(String session, List<String> identity) {
        /** Copies the list. */
        public Caller {
            identity = List.copyOf(identity);
        }
    }

    /** Returns the largest body that a called end accepts in a frame of a kind. */
    static long limit(FrameKind kind) {
        return switch (kind) {
            case HELLO -> NONCE + FrameLimits.TEXT;
            case PROOF -> PROOF + IDENTITY;
            default -> FrameLimits.NONE;
        };
    }

    private static long answers(FrameKind kind) {
        return switch (kind) {
            case CHALLENGE -> NONCE + PROOF;
            case REFUSED, AWAY, ERROR -> FrameLimits.TEXT + Integer.BYTES;
            default -> FrameLimits.NONE;
        };
    }

    /**
     * Greets the called end.
     *
     * @param request number of the frames
     * @throws UnauthenticatedException when the called end does not prove the token and the purpose
     */
    static void call(
            FrameInput in,
            FrameOutput out,
            ChannelBinding binding,
            Handshake handshake,
            Purpose purpose,
            List<String> identity,
            int request)
            throws IOException {
        byte[] mine = handshake.nonce();
        out.begin(FrameKind.HELLO, 0, request, 0, 0, NONCE + FrameOutput.sizeOf(purpose.session()))
                .bytes(mine)
                .text(purpose.session())
                .end()
                .flush();
        if (!in.next(Greeting::answers)) {
            throw in.ended("before CHALLENGE");
        }
        if (in.kind() != FrameKind.CHALLENGE) {
            String text = in.text();
            in.end();
            throw new UnauthenticatedException("sent " + in.kind() + " before it authenticated: " + text);
        }
        if (in.request() != request) {
            throw in.refused("the answer must be to request " + request + ", was to " + in.request());
        }
        byte[] theirs = in.bytes(NONCE);
        byte[] proof = in.bytes(PROOF);
        in.end();
        if (!handshake.proves(proof, purpose.called(binding), mine, theirs)) {
            throw new UnauthenticatedException("failed to authenticate with this job's token as " + purpose);
        }
        out.begin(FrameKind.PROOF, 0, request, 0, 0, PROOF + sizeOf(identity))
                .bytes(handshake.proof(purpose.caller(binding), mine, theirs));
        write(out, identity);
        out.end().flush();
    }

    /**
     * Authenticates a caller.
     *
     * @param purposes returns what this end serves; never by the caller's words, or this end would prove to be another
     * @throws RefusedCallerException when the caller does not prove the token
     */
    static Caller answer(FrameInput in, FrameOutput out, ChannelBinding binding, Handshake handshake, Purposes purposes)
            throws IOException {
        expect(in, FrameKind.HELLO);
        byte[] theirs = in.bytes(NONCE);
        String session = in.text();
        in.end();
        Purpose purpose = purposes.of(session);
        byte[] mine = handshake.nonce();
        out.begin(FrameKind.CHALLENGE, 0, in.request(), 0, 0, NONCE + PROOF)
                .bytes(mine)
                .bytes(handshake.proof(purpose.called(binding), theirs, mine))
                .end()
                .flush();
        expect(in, FrameKind.PROOF);
        byte[] proof = in.bytes(PROOF);
        List<String> identity = read(in);
        in.end();
        if (!handshake.proves(proof, purpose.caller(binding), theirs, mine)) {
            throw new RefusedCallerException("the caller failed to authenticate with this job's token");
        }
        return new Caller(session, identity);
    }

    private static void expect(FrameInput in, FrameKind kind) throws IOException {
        if (!in.next(next -> next == kind ? limit(next) : FrameLimits.NONE)) {
            throw in.ended("before " + kind);
        }
    }

    private static int sizeOf(List<String> identity) {
        return Integer.BYTES + identity.stream().mapToInt(Greeting::sizeOf).sum();
    }

    private static int sizeOf(String text) {
        return Integer.BYTES + FrameOutput.padded(text.getBytes(StandardCharsets.UTF_8).length);
    }

    private static void write(FrameOutput out, List<String> identity) throws IOException {
        out.writeInt(identity.size());
        for (String text : identity) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(bytes.length).content(bytes);
        }
    }

    private static List<String> read(FrameInput in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MOST_TEXTS) {
            throw in.refused("an identity must have at most " + MOST_TEXTS + " texts, had " + count);
        }
        List<String> identity = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            identity.add(in.text(IDENTITY));
        }
        return identity;
    }
}
