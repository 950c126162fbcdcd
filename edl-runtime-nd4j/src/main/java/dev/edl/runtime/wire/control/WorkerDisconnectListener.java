package dev.edl.runtime.wire.control;

/** Listener for disconnected workers. Calls about one worker arrive in order. */
public interface WorkerDisconnectListener {
    /**
     * Reports that a worker's connection has closed, so no round may wait for it. The worker keeps its tasks, and may
     * reconnect.
     */
    void left(String worker);

    /** Reports that a worker has not reconnected in time; {@link #gone} follows. */
    default void lost(String worker) {}

    /** Reports that a worker has ended, or has not reconnected in time, so it loses its tasks. */
    void gone(String worker);
}
