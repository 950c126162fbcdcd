package dev.edl.runtime.engine.ports;

/** Unwinds the thread of a replica that was stopped; never seen by users. */
public final class ReplicaStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ReplicaStoppedException(String replica) {
        super(replica + " was stopped", null, false, false);
    }
}
