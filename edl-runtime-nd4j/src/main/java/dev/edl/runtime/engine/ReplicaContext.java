package dev.edl.runtime.engine;

import dev.edl.plan.ReplicaPlan;
import dev.edl.runtime.engine.ports.ReplicaStoppedException;
import java.util.concurrent.CountDownLatch;

/** Identity of a replica and its stop flag. After a stop, the replica's next call of {@link #check()} ends its work. */
public final class ReplicaContext {
    private final String name;
    private final int index;
    private final CountDownLatch stop = new CountDownLatch(1);

    /** Creates the context of a planned replica. */
    public ReplicaContext(ReplicaPlan replica) {
        this(replica.name(), replica.index());
    }

    /**
     * Creates the context of a replica.
     *
     * @param name the replica's name, unique in the run
     * @param index the replica's index in its role, from 0
     */
    public ReplicaContext(String name, int index) {
        this.name = name;
        this.index = index;
    }

    /** Returns the replica's name. */
    public String name() {
        return name;
    }

    /** Returns the replica's index in its role. */
    public int index() {
        return index;
    }

    /** Sets the stop flag; does not wait for the replica to end. */
    public void stop() {
        stop.countDown();
    }

    /** Returns whether the replica was stopped. */
    public boolean stopped() {
        return stop.getCount() == 0;
    }

    /** Throws {@link ReplicaStoppedException} if the replica was stopped. */
    public void check() {
        if (stopped()) {
            throw new ReplicaStoppedException(name());
        }
    }

    /**
     * Waits until the replica is stopped. A parameter server waits here for its whole life, bounded only by the end of
     * the job.
     */
    public void awaitStop() throws InterruptedException {
        stop.await();
    }
}
