package dev.edl.runtime;

import dev.edl.plan.ReplicaPlan;
import java.util.concurrent.CountDownLatch;

/** What a replica's thread knows of itself; a stopped replica is cut off from everything at its next call. */
final class ReplicaContext {
    private final ReplicaPlan replica;
    private final CountDownLatch stop = new CountDownLatch(1);

    ReplicaContext(ReplicaPlan replica) {
        this.replica = replica;
    }

    String name() {
        return replica.name();
    }

    int index() {
        return replica.index();
    }

    void stop() {
        stop.countDown();
    }

    boolean stopped() {
        return stop.getCount() == 0;
    }

    /** Ends the calling thread's work when the replica was stopped. */
    void check() {
        if (stopped()) {
            throw new ReplicaStopped(name());
        }
    }

    /** Waits until the replica is stopped; a parameter server's whole life, so its only bound is the job's end. */
    void awaitStop() throws InterruptedException {
        stop.await();
    }
}
