package dev.edl.exec.local;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobHandle;
import dev.edl.exec.JobStatus;
import dev.edl.exec.Subscription;
import dev.edl.plan.JobPlan;
import dev.edl.status.JobEvent;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** A job that runs as processes of this machine. Thread-safe. */
public final class LocalRun implements JobHandle {
    private final ControlLoop loop;
    private final LocalSubstrate substrate;
    private final LoopbackPorts.JobAddresses addresses;

    LocalRun(ControlLoop loop, LocalSubstrate substrate, LoopbackPorts.JobAddresses addresses) {
        this.loop = loop;
        this.substrate = substrate;
        this.addresses = addresses;
        // The first replicas are there when the caller gets the run.
        loop.step();
        loop.drive();
    }

    /** What runs, with the addresses that it has on this machine. */
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

    @Override
    public void scale(String role, int replicas) {
        loop.scale(role, replicas);
    }

    @Override
    public void delete(String replica) {
        loop.delete(Objects.requireNonNull(replica, "replica"));
    }

    /**
     * Kills the process of a replica by signal 9, as want of memory would: it fails with exit code 137. What it started is
     * ended as well.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException when no such replica is running
     */
    public void kill(String replica) {
        substrate.kill(running(replica));
    }

    /**
     * The process id of a replica's program; empty when it is not running any more.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException when no such replica is running
     */
    public OptionalLong pid(String replica) {
        return substrate.pid(running(replica));
    }

    @Override
    public ByteChannel connect(String replica, int port) throws IOException {
        return LoopbackPorts.connect(plan().name(), running(replica), port);
    }

    private String running(String replica) {
        return substrate.running(plan().name(), replica);
    }

    @Override
    public void cancel() {
        loop.cancel();
    }

    @Override
    public void suspend() {
        loop.suspend();
    }

    @Override
    public void resume() {
        loop.resume();
    }

    @Override
    public JobStatus await(Duration limit) throws InterruptedException {
        return loop.await(limit);
    }

    @Override
    public Subscription onEvent(Consumer<JobEvent> listener) {
        return loop.onEvent(listener);
    }

    @Override
    public List<JobEvent> events() {
        return loop.events();
    }

    /** Whether the job has ended and nothing of it runs. */
    boolean over() {
        return loop.finished();
    }

    /** Drives the job no longer and tells all that runs to go; does not wait for its end. */
    void stop() {
        // First, or the loop would relaunch what is told to go.
        loop.stop();
        substrate.stop(true);
    }

    /**
     * Waits until the processes that were told to go are gone; neither for the loop nor for the logs, whose threads may be
     * those that end this JVM.
     */
    void awaitGone() {
        substrate.awaitGone();
    }

    /**
     * Ends the processes of the job, if any are left, and stops driving it; waits for that, the grace period, ten
     * seconds and 0.2 s for each replica at most. A second call does nothing.
     *
     * @throws IllegalStateException when the system does not let a killed process go
     */
    @Override
    public void close() {
        stop();
        try {
            substrate.close();
        } finally {
            addresses.free();
            loop.close();
        }
    }

    /** The job's status. */
    @Override
    public String toString() {
        return loop.toString();
    }
}
