package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageConnection;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the master's listener, from its acceptance until the registry gives it a session. Called on the
 * thread that reads it; no call waits.
 */
final class PendingConnection implements MessageConnection.MessageListener {
    private static final System.Logger LOG = System.getLogger(PendingConnection.class.getName());

    private enum State {
        GREETING,
        WAITING,
        OPEN,
        CLOSED
    }

    private final SessionRegistry door;
    private final MessageConnection connection;
    private final RpcPeer peer;
    private State state = State.GREETING;
    private @Nullable CallerSession session;

    PendingConnection(SessionRegistry door, MessageConnection connection) {
        this.door = door;
        this.connection = connection;
        this.peer = new RpcPeer(connection);
    }

    RpcPeer rpcPeer() {
        return peer;
    }

    /** Reports that a message was handled, so that the next one may be read. */
    void handled() {
        connection.messageHandled();
    }

    /** Marks a content connection as authenticated; it needs no session of its own. Returns whether it is open. */
    synchronized boolean standsAside() {
        boolean open = state == State.GREETING;
        state = State.CLOSED;
        return open;
    }

    /** Receives the identity of an authenticated caller, which gets a session once there is a master for it. */
    void greeted(Hello hello) {
        connection.wire().name(hello.name());
        synchronized (this) {
            if (state == State.CLOSED) {
                return;
            }
            state = State.WAITING;
        }
        door.admit(this, hello);
    }

    @Override
    public void received(Message message) {
        CallerSession open;
        synchronized (this) {
            open = session;
        }
        if (open == null) {
            throw new IllegalArgumentException(
                    "\"" + message.name() + "\" is not expected from a caller without a session");
        }
        open.received(message);
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
        closes();
        connection.wire().refuse();
        peer.end(reason);
    }

    /** Notifies the caller that the training has finished. */
    void finished() {
        peer.sendNotification(MessageNames.FINISHED, Map.of());
        leave();
    }

    private synchronized void closes() {
        state = State.CLOSED;
        session = null;
    }

    /** Closes the connection at once. */
    void cut(String reason) {
        connection.wire().close(reason);
    }

    /** Ends the connection without notifying its session. */
    void leave() {
        closes();
        peer.complete();
    }

    @Override
    public void ended(boolean orderly, String reason) {
        CallerSession open;
        synchronized (this) {
            open = session;
            session = null;
            state = State.CLOSED;
        }
        peer.closed(reason);
        if (open != null) {
            open.closed(orderly);
        } else {
            door.left(this);
        }
    }
}
