package dev.edl.runtime.wire.control.internal;

/** Names of messages on the wire. */
public final class MessageNames {
    // The handshake: the caller greets, the master proves its token, the caller identifies itself, the master decides.
    public static final String GREET = "greet";
    public static final String PROVE = "prove";
    public static final String HELLO = "hello";
    public static final String WELCOME = "welcome";
    public static final String REFUSED = "refused";
    public static final String FINISHED = "finished";
    /** The greeting of a bulk connection instead of {@link #GREET}; the caller's proof is in its request. */
    public static final String BULK = "bulk";

    // Requests and notifications of a worker.
    public static final String NEXT = "next";
    public static final String AHEAD = "ahead";
    public static final String STARTS = "starts";
    public static final String AWAIT_CHANGE = "awaitChange";
    public static final String JOINS = "joins";
    public static final String NOTES = "notes";
    public static final String TRAINED = "trained";
    public static final String EVALUATED = "evaluated";
    public static final String PREDICTED = "predicted";
    public static final String FAILED = "failed";
    public static final String MODEL = "model";
    /** Request without content, whose response means that all earlier messages have been handled. */
    public static final String SETTLE = "settle";

    // Requests and notifications of a server.
    public static final String REGISTER = "register";
    public static final String READY = "ready";
    public static final String SAVED = "saved";
    public static final String PINNED_NOW = "pinnedNow";
    /** The upload of content that belongs to the response to a shard request. */
    public static final String ANSWER = "answer";

    private MessageNames() {}
}
