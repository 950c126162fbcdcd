package dev.edl.testkit.cluster;

import dev.edl.exec.AwaitTimeoutException;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.ForwardingJobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.plan.JobPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Job on a {@link SimulatedCluster}. A request, such as a scaling, has taken effect when its method returns. Not
 * thread-safe.
 */
public final class SimulatedJob extends ForwardingJobHandle {
    private final ClusterSimulation simulation;
    private final ControlLoop loop;
    private boolean closed;

    SimulatedJob(JobPlan plan, ClusterSimulation simulation) {
        this(ControlLoop.of(plan, simulation).clock(simulation).manual(), simulation);
    }

    private SimulatedJob(ControlLoop loop, ClusterSimulation simulation) {
        super(loop);
        this.simulation = simulation;
        this.loop = loop;
        simulation.add(loop);
    }

    /** Returns the replicas in the format of {@code kubectl get pods}. */
    public String table() {
        return loop.status().table();
    }

    /**
     * Returns the node of a replica; empty while it is pending.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException when the replica does not exist
     */
    public Optional<String> node(String replica) {
        return Optional.ofNullable(simulation.pod(loop, replica).node);
    }

    /**
     * Ends a replica with an exit code.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @param code exit code; 0 is success
     * @throws IllegalArgumentException when the replica does not exist or does not run
     */
    public void exit(String replica, int code) {
        simulation.exit(loop, replica, code, Optional.empty());
    }

    /**
     * Ends a replica for a reason that the kubelet reports.
     *
     * @param code exit code; 0 is success
     * @param reason word such as {@code OOMKilled}
     * @throws IllegalArgumentException when the replica does not exist or does not run
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
     * Advances the simulated time until the job has ended.
     *
     * @param limit maximum simulated time; all of it has passed if the method throws because the job has not ended
     */
    @Override
    public JobStatus await(Duration limit) throws InterruptedException {
        if (closed) {
            return loop.await(Duration.ZERO);
        }
        Instant end = simulation.instant().plus(limit);
        if (!simulation.advanceUntil(end, () -> status().phase().ended())) {
            throw new AwaitTimeoutException(plan(), status(), limit);
        }
        return status();
    }

    /** Stops driving the job; its pods stay as they are. */
    @Override
    public void close() {
        closed = true;
        simulation.remove(loop);
        loop.close();
    }
}
