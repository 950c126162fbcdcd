package dev.edl.runtime.wire.control;

/** Listener for disconnected workers. Calls about one worker arrive in order. */
public interface WorkerWatch {
    /** A worker's connection has closed, so no round may wait for it. It keeps its tasks, and may reconnect. */
    void left(String worker);

    /** A worker has ended, or has not reconnected in time, so it loses its tasks. */
    void gone(String worker);
}
