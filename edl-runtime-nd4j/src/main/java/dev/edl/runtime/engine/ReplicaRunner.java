package dev.edl.runtime.engine;

import dev.edl.plan.ReplicaPlan;
import java.io.IOException;

/** Work of the replicas of one run, for trainings and passes. */
public interface ReplicaRunner {
    /** Runs a replica on the calling thread. */
    void run(ReplicaPlan replica, ReplicaContext context) throws IOException, InterruptedException;

    /**
     * Reports that a replica is cut off or has ended: no round waits for it, and its task goes to another worker.
     * Returns at once, because the caller may be the thread that restarts what other replicas wait for.
     */
    void gone(ReplicaPlan replica);
}
