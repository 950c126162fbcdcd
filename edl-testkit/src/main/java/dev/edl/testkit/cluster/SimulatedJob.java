package dev.edl.testkit.cluster;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.JobTimeoutException;
import dev.edl.exec.Subscription;
import dev.edl.plan.JobPlan;
import dev.edl.status.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A job on a {@link SimulatedCluster}. What is asked for has happened when the call returns. Not thread-safe. */
public final class SimulatedJob implements JobHandle {
    private final ClusterSimulation simulation;
    private final ControlLoop loop;
    private boolean closed;

    SimulatedJob(JobPlan plan, ClusterSimulation simulation) {
        this.simulation = simulation;
        this.loop = ControlLoop.of(plan, simulation).clock(simulation).manual();
        simulation.add(loop);
    }

    @Override
    public JobPlan plan() {
        return loop.plan();
    }

    @Override
    public JobStatus status() {
        return loop.status();
    }

    @Override
    public Optional<String> whyPending(String replica) {
        return loop.whyPending(replica);
    }

    /** The replicas as {@code kubectl get pods} prints them. */
    public String table() {
        return loop.status().table();
    }

    /**
     * The node of a replica; empty while it waits for room.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException when no such replica is there
     */
    public Optional<String> node(String replica) {
        return Optional.ofNullable(simulation.pod(loop, replica).node);
    }

    /**
     * A replica ends by itself.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @param code 0 is success
     * @throws IllegalArgumentException when no such replica is there, or it does not run
     */
    public void exit(String replica, int code) {
        simulation.exit(loop, replica, code, Optional.empty());
    }

    /**
     * A replica ends for a reason that the kubelet tells.
     *
     * @param reason a word, {@code OOMKilled}
     * @throws IllegalArgumentException when no such replica is there, or it does not run
     */
    public void exit(String replica, int code, String reason) {
        simulation.exit(loop, replica, code, Optional.of(reason));
    }

    @Override
    public void scale(String role, int replicas) {
        loop.scale(role, replicas);
        simulation.asked(loop);
    }

    @Override
    public void delete(String replica) {
        loop.delete(replica);
        simulation.asked(loop);
    }

    @Override
    public void cancel() {
        loop.cancel();
        simulation.asked(loop);
    }

    @Override
    public void suspend() {
        loop.suspend();
        simulation.asked(loop);
    }

    @Override
    public void resume() {
        loop.resume();
        simulation.asked(loop);
    }

    /**
     * Lets time pass until the job has ended.
     *
     * @param limit how much simulated time at most; it is all over when the job has not ended
     */
    @Override
    public JobStatus await(Duration limit) throws InterruptedException {
        if (closed) {
            return loop.await(Duration.ZERO);
        }
        Instant end = simulation.instant().plus(limit);
        if (!simulation.advanceUntil(end, () -> status().phase().ended())) {
            throw new JobTimeoutException(plan(), status(), limit);
        }
        return status();
    }

    @Override
    public Subscription onEvent(Consumer<JobEvent> listener) {
        return loop.onEvent(listener);
    }

    @Override
    public List<JobEvent> events() {
        return loop.events();
    }

    /** Nothing drives the job any more; its pods stay as they are. */
    @Override
    public void close() {
        closed = true;
        simulation.remove(loop);
        loop.close();
    }

    /** The job's status. */
    @Override
    public String toString() {
        return status().toString();
    }
}
