package dev.edl.exec.local;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.ForwardingJobHandle;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.util.OptionalLong;

/**
 * Handle of a job that runs as processes of this machine. In its plan, replicas have addresses of this machine.
 * Thread-safe.
 */
public final class LocalRun extends ForwardingJobHandle {
    private final ControlLoop loop;
    private final LocalSubstrate substrate;
    private final LoopbackPorts.JobAddresses addresses;

    LocalRun(ControlLoop loop, LocalSubstrate substrate, LoopbackPorts.JobAddresses addresses) {
        super(loop);
        this.loop = loop;
        this.substrate = substrate;
        this.addresses = addresses;
        // The first replicas exist when the caller gets the run.
        loop.step();
        loop.drive();
    }

    /**
     * Kills the program of a replica by signal 9, like an out-of-memory kill: the replica fails with exit code 137. The
     * processes that the program started end with it.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException when no such replica is running
     */
    public void kill(String replica) {
        substrate.kill(running(replica));
    }

    /**
     * Returns the process id of a replica's program; empty if it no longer runs.
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
    public void suspend() {
        loop.suspend();
    }

    @Override
    public void resume() {
        loop.resume();
    }

    /**
     * Returns whether the job has ended, none of its replicas is terminating and no further pass of its loop is due.
     */
    boolean over() {
        return loop.finished();
    }

    /** Stops driving the job and starts to end its processes; does not wait for them. */
    void stop() {
        // First, since the loop would otherwise relaunch the stopped replicas.
        loop.stop();
        substrate.stop(true);
    }

    /**
     * Waits until the stopped processes have ended. Waits neither for the loop's thread nor for those of the logs,
     * since one of them may be ending this JVM.
     */
    void awaitGone() {
        substrate.awaitGone();
    }

    /**
     * Stops driving the job, ends its remaining processes and waits for them. As a last resort, kills the remaining
     * replicas after the grace period plus 10 s plus 0.2 s for each replica. A second call does nothing.
     *
     * @throws IllegalStateException when a process remains although it was killed
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
}
