package dev.edl.runtime.engine;

import dev.edl.plan.ReplicaPlan;
import java.io.IOException;

/** What the replicas of one run do, whatever the run is for. */
public interface RunServices {
    /** Does a replica's work on the calling thread. */
    void run(ReplicaPlan replica, ReplicaContext context) throws IOException, InterruptedException;

    /**
     * A replica is cut off or has ended: no round waits for it, and its task goes to another. Returns at once: the caller
     * may be who brings back what others are waiting for.
     */
    void gone(ReplicaPlan replica);
}
