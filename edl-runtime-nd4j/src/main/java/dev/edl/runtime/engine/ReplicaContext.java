package dev.edl.runtime.engine;

import dev.edl.plan.ReplicaPlan;
import java.util.concurrent.CountDownLatch;

/** What a replica's thread knows of itself; a stopped replica is cut off from everything at its next call. */
public final class ReplicaContext {
    private final String name;
    private final int index;
    private final CountDownLatch stop = new CountDownLatch(1);

    /** Returns the context of a replica of a plan. */
    public ReplicaContext(ReplicaPlan replica) {
        this(replica.name(), replica.index());
    }

    /**
     * Returns the context of a replica.
     *
     * @param name that no other replica of the run has
     * @param index its place in its role
     */
    public ReplicaContext(String name, int index) {
        this.name = name;
        this.index = index;
    }

    /** Returns the replica's name. */
    public String name() {
        return name;
    }

    /** Returns the replica's place in its role. */
    public int index() {
        return index;
    }

    /** Cuts the replica off. */
    public void stop() {
        stop.countDown();
    }

    /** Returns whether the replica was stopped. */
    public boolean stopped() {
        return stop.getCount() == 0;
    }

    /** Ends the calling thread's work when the replica was stopped. */
    public void check() {
        if (stopped()) {
            throw new ReplicaStopped(name());
        }
    }

    /** Waits until the replica is stopped; a parameter server's whole life, so its only bound is the job's end. */
    void awaitStop() throws InterruptedException {
        stop.await();
    }
}
