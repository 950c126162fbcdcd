package dev.edl.runtime.wire.frames;

import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.tls.ChannelBinding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Identifies and authenticates a caller on the server's side. */
final class ServerGreeting {
    private ServerGreeting() {}

    /**
     * Returns the name of a server's side for proofs. A server proves its own run and place, and a worker checks the
     * expected ones. So no other server's proof is accepted, even if a relay passes it on.
     */
    static String server(ChannelBinding binding, String run, String place) {
        return "shard of frames/" + binding.text() + "/" + run + "/" + place;
    }

    /** Returns the name of a worker's side for proofs, with run and place of the server as in {@link #server}. */
    static String worker(ChannelBinding binding, String run, String place) {
        return "worker of frames/" + binding.text() + "/" + run + "/" + place;
    }

    /**
     * Authenticates the calling worker and returns its name.
     *
     * @throws RefusedCallerException when the worker belongs to another job; it was sent the reason
     */
    static String greet(
            FrameInput in, FrameOutput out, ChannelBinding binding, ServedShard served, ShardFrameLayout layout)
            throws IOException {
        Handshake handshake = served.handshake();
        expect(in, FrameKind.HELLO);
        byte[] theirs = in.bytes(32);
        String run = in.text();
        String worker = in.text();
        String place = in.text();
        String model = in.text();
        in.end();
        byte[] mine = handshake.nonce();
        // Never the run and place of HELLO: signing those would let this server prove to be any other.
        out.begin(FrameKind.CHALLENGE, 0, in.request(), 0, 0, 64)
                .bytes(mine)
                .bytes(handshake.proof(server(binding, served.run(), layout.place()), theirs, mine))
                .end()
                .flush();
        expect(in, FrameKind.PROOF);
        byte[] proof = in.bytes(32);
        in.end();
        if (!handshake.proves(proof, worker(binding, served.run(), layout.place()), theirs, mine)) {
            throw refuse(in, out, "the caller failed to authenticate with this job's token");
        }
        List<String> different = new ArrayList<>();
        compare(different, "run", run, served.run());
        compare(different, "shard", place, layout.place());
        compare(different, "model", model, layout.model());
        if (!different.isEmpty()) {
            throw refuse(
                    in, out, layout.range().name() + " is not for " + worker + ": " + String.join("; ", different));
        }
        return worker;
    }

    private static void expect(FrameInput in, FrameKind kind) throws IOException {
        if (!in.next(next -> next == kind ? ShardFrameLayout.greeting(next) : FrameLimits.NONE)) {
            throw in.ended("before " + kind);
        }
    }

    private static void compare(List<String> different, String what, String theirs, String mine) {
        if (!theirs.equals(mine)) {
            different.add("its " + what + " is \"" + theirs + "\", the server's is \"" + mine + "\"");
        }
    }

    private static RefusedCallerException refuse(FrameInput in, FrameOutput out, String why) throws IOException {
        out.begin(FrameKind.REFUSED, 0, in.request(), 0, 0, FrameOutput.sizeOf(why))
                .text(why)
                .end()
                .flush();
        return new RefusedCallerException(why);
    }
}
