package dev.edl.runtime.wire.control;

/** Hears which workers are cut off. Calls of one worker come in order. */
public interface WorkerWatch {
    /** A worker's stream has closed: no round may wait for it. It keeps its tasks, and may come back. */
    void left(String worker);

    /** A worker has ended, or has not come back in time: it loses its tasks. */
    void gone(String worker);
}
