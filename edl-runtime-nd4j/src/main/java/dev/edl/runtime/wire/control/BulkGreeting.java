package dev.edl.runtime.wire.control;

import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.wire.control.internal.BulkTransfer;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RemoteFailure;
import dev.edl.runtime.wire.frames.Bound;
import dev.edl.runtime.wire.tls.ChannelBinding;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.Map;

/**
 * Mutual authentication of the bulk connections of one session. Both proofs cover the session, so the session's name is
 * no credential. Immutable.
 */
final class BulkGreeting {
    private static final System.Logger LOG = System.getLogger(BulkGreeting.class.getName());

    private final Authenticator authenticator;
    private final String session;

    BulkGreeting(Authenticator authenticator, String session) {
        this.authenticator = authenticator;
        this.session = session;
    }

    private byte[] master(ChannelBinding binding, byte[] caller, byte[] master) {
        return authenticator.proof("bulk master of " + session, binding, caller, master);
    }

    private byte[] caller(ChannelBinding binding, byte[] caller, byte[] master) {
        return authenticator.proof("bulk caller of " + session, binding, caller, master);
    }

    /**
     * Greets the master on a new connection and checks its proof. Returns this end's proof, which the request carries.
     *
     * @param bound the longest wait for the master's proof
     * @throws IOException when the other end is no master with this job's token
     */
    byte[] call(BulkTransfer transfer, Bound bound) throws IOException {
        byte[] mine = authenticator.nonce();
        transfer.send(Message.tell(MessageNames.BULK, Map.of("session", session, "nonce", mine)));
        try {
            Message proof = transfer.receive(bound);
            byte[] theirs = proof.value("nonce", byte[].class);
            if (!MessageDigest.isEqual(master(transfer.binding(), mine, theirs), proof.value("proof", byte[].class))) {
                throw new IOException(transfer + " failed to authenticate with this job's token");
            }
            transfer.markAuthenticated();
            return caller(transfer.binding(), mine, theirs);
        } catch (IllegalArgumentException | RemoteFailure.Answered stranger) {
            throw new IOException(transfer + " did not authenticate: " + ExceptionText.of(stranger), stranger);
        }
    }

    /**
     * Proves to a caller that this end is the session's master. Returns the caller's request, whose proof is right.
     *
     * @param greeting the first message of the connection
     * @param bound the longest wait for the request
     * @throws IOException when the caller does not have this job's token
     */
    Message answer(Message greeting, BulkTransfer transfer, Bound bound) throws IOException {
        byte[] theirs = greeting.value("nonce", byte[].class);
        byte[] mine = authenticator.nonce();
        transfer.send(Message.tell(
                MessageNames.PROVE, Map.of("nonce", mine, "proof", master(transfer.binding(), theirs, mine))));
        Message request = transfer.receive(bound);
        byte[] proof = request.value("proof", byte[].class);
        if (!MessageDigest.isEqual(caller(transfer.binding(), theirs, mine), proof)) {
            String why = "the caller failed to authenticate with this job's token";
            LOG.log(System.Logger.Level.WARNING, transfer + " is refused a bulk connection: " + why);
            throw new IOException(why);
        }
        transfer.markAuthenticated();
        return request;
    }

    /** Returns the text for people, without the session's name. */
    @Override
    public String toString() {
        return "greeting of a bulk connection";
    }
}
