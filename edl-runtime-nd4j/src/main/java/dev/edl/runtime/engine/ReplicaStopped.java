package dev.edl.runtime.engine;

/** Unwinds the thread of a replica that was stopped; never seen by users. */
public final class ReplicaStopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReplicaStopped(String replica) {
        super(replica + " was stopped", null, false, false);
    }
}
