package dev.edl.runtime.wire.control.internal;

/** Names of messages that are not methods of a port. */
public final class MessageNames {
    // The master's decision about a caller that has no session yet.
    public static final String WELCOME = "welcome";
    public static final String FINISHED = "finished";

    /** A worker's reports, in a batch. */
    public static final String NOTES = "notes";
    /** Request without content, whose response means that all earlier messages have been handled. */
    public static final String SETTLE = "settle";

    // Bulk transfers: a model to a worker, a worker's outputs, a shard's state to restore, the result of a shard's
    // method.
    public static final String MODEL = "model";
    public static final String PREDICTED = "predicted";
    public static final String SAVED = "saved";
    public static final String ANSWER = "answer";

    /** Notification of a server: its shard has pinned a version. */
    public static final String PINNED_NOW = "pinnedNow";

    private MessageNames() {}
}
