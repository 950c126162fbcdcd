package dev.edl.runtime.remote.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.remote.control.internal.Args;
import dev.edl.runtime.remote.control.internal.Calls;
import dev.edl.runtime.remote.control.internal.Message;
import dev.edl.runtime.remote.control.internal.Talk;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.security.MessageDigest;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A stream at the master's door, from its first message on. Its calls come from the network's thread; none waits. */
final class Visitor implements StreamObserver<Message> {
    /** Messages of one stream that are received and not yet handled. */
    private static final int WINDOW = 64;

    private enum State {
        NEW,
        GREETED,
        WAITING,
        OPEN,
        CLOSED
    }

    private final Desks door;
    private final Credential credential;
    private final ServerCallStreamObserver<Message> out;
    private final Hello.Role role;
    private final Talk talk;
    private final byte[] mine;
    private byte[] theirs = {};
    private State state = State.NEW;
    private @Nullable Desk desk;

    Visitor(Desks door, Credential credential, Hello.Role role, ServerCallStreamObserver<Message> out) {
        this.door = door;
        this.credential = credential;
        this.out = out;
        this.role = role;
        this.talk = new Talk("a " + role.side() + " at the master", out);
        this.mine = credential.nonce();
        out.setOnCancelHandler(() -> closed(false));
        out.disableAutoRequest();
        out.request(WINDOW);
    }

    Talk talk() {
        return talk;
    }

    /** A message was handled, so that another one may come. */
    void handled() {
        try {
            out.request(1);
        } catch (RejectedExecutionException closed) {
            // The listener has ended its threads, so no message comes.
            talk.closed("the listener is closed");
        }
    }

    @Override
    public void onNext(Message message) {
        Desk open;
        synchronized (this) {
            open = desk;
        }
        try {
            if (open != null) {
                open.received(message);
            } else {
                greeted(message);
                handled();
            }
        } catch (IllegalArgumentException unreadable) {
            talk.end(Status.INVALID_ARGUMENT.withDescription(unreadable.getMessage()));
            closed(false);
        }
    }

    private void greeted(Message message) {
        State now;
        synchronized (this) {
            now = state;
        }
        Args.Given given = new Args.Given(message);
        if (now == State.NEW && message.name().equals(Calls.GREET)) {
            theirs = bytes(given, "nonce");
            become(State.GREETED);
            talk.tell(Calls.PROVE, Args.of("nonce", mine).and("proof", credential.proof("master", theirs, mine)));
        } else if (now == State.GREETED && message.name().equals(Calls.HELLO)) {
            if (!MessageDigest.isEqual(bytes(given, "proof"), credential.proof(role.side(), theirs, mine))) {
                refuse("the caller does not know the token of this job");
                return;
            }
            Hello hello = given.value("hello", Hello.class);
            if (hello.role() != role) {
                throw new IllegalArgumentException("a " + hello.role().side() + " has the stream of a " + role.side());
            }
            become(State.WAITING);
            door.admit(this, hello);
        } else {
            throw new IllegalArgumentException(
                    "\"" + message.name() + "\" is not expected from a caller that is " + now);
        }
    }

    private static byte[] bytes(Args.Given given, String name) {
        return given.value(name, byte[].class);
    }

    private synchronized void become(State next) {
        if (state != State.CLOSED) {
            state = next;
        }
    }

    synchronized boolean isGreeting() {
        return state == State.NEW || state == State.GREETED;
    }

    /** Lets the caller begin; whether it is still there. */
    boolean open(Desk its, JsonNode welcome) {
        synchronized (this) {
            if (state == State.CLOSED) {
                return false;
            }
            state = State.OPEN;
            desk = its;
        }
        talk.tell(Calls.WELCOME, welcome);
        return true;
    }

    void refuse(String reason) {
        talk.tell(Calls.REFUSED, Args.of("reason", reason));
        leave();
    }

    /** All is done: nothing will be asked of the caller. */
    void finished() {
        talk.tell(Calls.FINISHED, Args.none());
        leave();
    }

    /** Ends the stream; the desk does not hear of it. */
    void leave() {
        synchronized (this) {
            state = State.CLOSED;
            desk = null;
        }
        talk.complete();
    }

    @Override
    public void onError(Throwable ended) {
        closed(false);
    }

    @Override
    public void onCompleted() {
        talk.complete();
        closed(true);
    }

    private void closed(boolean inPeace) {
        Desk open;
        synchronized (this) {
            open = desk;
            desk = null;
            state = State.CLOSED;
        }
        talk.closed("the caller has left");
        if (open != null) {
            open.closed(inPeace);
        } else {
            door.left(this);
        }
    }
}
