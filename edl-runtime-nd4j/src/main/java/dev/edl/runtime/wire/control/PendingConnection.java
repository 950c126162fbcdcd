package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageConnection;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import dev.edl.runtime.wire.frames.Bound;
import dev.edl.runtime.wire.tls.ChannelBinding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the master's listener, from its acceptance until the registry gives it a session. Called on the
 * thread that reads it; no call waits.
 */
final class PendingConnection implements MessageConnection.MessageListener {
    private static final System.Logger LOG = System.getLogger(PendingConnection.class.getName());

    /** Bound for certificates that have arrived. */
    private static final Bound BINDING = Bound.greeting(ConnectionSettings.defaults());

    private enum State {
        NEW,
        GREETED,
        BULK,
        WAITING,
        OPEN,
        CLOSED
    }

    private final SessionRegistry door;
    private final Authenticator authenticator;
    private final MessageConnection connection;
    private final RpcPeer peer;
    private final byte[] mine;
    private byte[] theirs = {};
    private State state = State.NEW;
    private @Nullable CallerSession session;

    PendingConnection(SessionRegistry door, Authenticator authenticator, MessageConnection connection) {
        this.door = door;
        this.authenticator = authenticator;
        this.connection = connection;
        this.peer = new RpcPeer(connection);
        this.mine = authenticator.nonce();
    }

    RpcPeer talk() {
        return peer;
    }

    /** Reports that a message was handled, so that the next one may be read. */
    void handled() {
        connection.messageHandled();
    }

    /**
     * Marks the connection as a bulk connection, whose reading thread also writes from now on. Returns whether it is
     * still open.
     */
    synchronized boolean becomesBulk() {
        boolean here = state == State.NEW;
        state = here ? State.BULK : State.CLOSED;
        return here;
    }

    /** Marks a bulk connection as authenticated; it needs no session of its own. Returns whether it is still open. */
    synchronized boolean standsAside() {
        boolean here = state == State.BULK;
        state = State.CLOSED;
        return here;
    }

    @Override
    public void received(Message message) {
        CallerSession open;
        synchronized (this) {
            open = session;
        }
        if (open != null) {
            open.received(message);
        } else {
            greeted(message);
            handled();
        }
    }

    private ChannelBinding binding() {
        try {
            // A message has arrived, so the handshake is complete and nothing waits.
            return connection.wire().binding(BINDING);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private void greeted(Message message) {
        State now;
        synchronized (this) {
            now = state;
        }
        if (now == State.NEW && message.name().equals(MessageNames.GREET)) {
            theirs = message.value("nonce", byte[].class);
            become(State.GREETED);
            peer.sendNotification(
                    MessageNames.PROVE,
                    Map.of("nonce", mine, "proof", authenticator.proof("master", binding(), theirs, mine)));
        } else if (now == State.GREETED && message.name().equals(MessageNames.HELLO)) {
            Hello hello = message.value("hello", Hello.class);
            String side = hello.role().side();
            if (!MessageDigest.isEqual(
                    message.value("proof", byte[].class), authenticator.proof(side, binding(), theirs, mine))) {
                refuse("the caller failed to authenticate with this job's token");
                return;
            }
            connection.markAuthenticated();
            connection.wire().name(hello.name());
            if (!RemotePorts.SIGNATURE.equals(message.value("ports", String.class))) {
                refuse(hello.name() + " has another version of EDL than this master");
                return;
            }
            become(State.WAITING);
            door.admit(this, hello);
        } else {
            throw new IllegalArgumentException(
                    "\"" + message.name() + "\" is not expected from a caller that is " + now);
        }
    }

    private synchronized void become(State next) {
        if (state != State.CLOSED) {
            state = next;
        }
    }

    synchronized boolean isGreeting() {
        return state == State.NEW || state == State.GREETED || state == State.BULK;
    }

    /** Gives the caller its session and sends it the welcome. Returns whether it is still connected. */
    boolean open(CallerSession its, JsonNode welcome) {
        synchronized (this) {
            if (state == State.CLOSED) {
                return false;
            }
            state = State.OPEN;
            session = its;
        }
        peer.sendNotification(MessageNames.WELCOME, welcome);
        return true;
    }

    void refuse(String reason) {
        LOG.log(System.Logger.Level.WARNING, () -> connection.wire() + " is refused: " + reason);
        peer.sendNotification(MessageNames.REFUSED, Map.of("reason", reason));
        leave();
    }

    /** Notifies the caller that the training has finished. */
    void finished() {
        peer.sendNotification(MessageNames.FINISHED, Map.of());
        leave();
    }

    /** Ends the unauthenticated connection with a reason; the caller may retry. */
    void end(String reason) {
        if (closes() == State.BULK) {
            // Its reading thread may be writing, so that no reason can be sent.
            cut(reason);
        } else {
            peer.end(reason);
        }
    }

    private synchronized State closes() {
        State before = state;
        state = State.CLOSED;
        session = null;
        return before;
    }

    /** Closes the connection at once. */
    void cut(String reason) {
        connection.wire().close(reason);
    }

    /** Ends the connection without notifying its session. */
    void leave() {
        if (closes() == State.BULK) {
            cut("closed by this end");
        }
        peer.complete();
    }

    @Override
    public void ended(boolean inPeace, String reason) {
        CallerSession open;
        synchronized (this) {
            open = session;
            session = null;
            state = State.CLOSED;
        }
        peer.closed(reason);
        if (open != null) {
            open.closed(inPeace);
        } else {
            door.left(this);
        }
    }
}
