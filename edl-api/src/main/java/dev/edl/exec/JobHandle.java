package dev.edl.exec;

import dev.edl.plan.JobPlan;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A submitted job: what it does, and what can be asked of it. Thread-safe.
 *
 * <p>Requests are checked at once and carried out by the job's loop soon after.
 */
public interface JobHandle extends AutoCloseable {
    /** What runs. */
    JobPlan plan();

    /** How it stands, as of the last pass of its loop. */
    JobStatus status();

    /**
     * Returns why a replica does not run yet, and what helps: its creation is refused, no node has room, its image cannot be
     * pulled, its backoff is not over, it waits for others. Empty when it runs or has ended.
     *
     * <pre>{@code
     * run.whyPending("worker-5").ifPresent(System.out::println);
     * // cannot be created for 2m (9 tries, the next in 28s): exceeded quota: …; raise the quota, or scale("worker", 4)
     * }</pre>
     *
     * @param replica {@code worker-5}, {@code master}, or a full name
     * @throws IllegalArgumentException when the job has no such replica
     */
    default Optional<String> whyPending(String replica) {
        JobStatus status = status();
        ReplicaStatus row = status.replicas().stream()
                .filter(one -> one.name().equals(replica)
                        || one.role().replica(one.id()).equals(replica))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "job \"" + status.job() + "\" has no replica \"" + replica + "\""));
        return row.status().equals("Pending")
                ? Optional.of(status.requestFailures().stream()
                        .filter(failure -> failure.replicas().contains(row.name()))
                        .findFirst()
                        .map(RequestFailure::why)
                        .orElse("is starting"))
                : Optional.empty();
    }

    /**
     * Asks for another number of replicas. Growing creates replicas with the next ids; shrinking removes pending ones first,
     * then those with the highest ids, but never the leader.
     *
     * @param role the role's word, {@code worker}
     * @throws IllegalArgumentException when the job has no such role, the role is not elastic, or the number is out of bounds
     * @throws IllegalStateException when the job has ended, or this handle is closed
     */
    void scale(String role, int replicas);

    /**
     * Deletes a replica, as {@code kubectl delete pod} does; the job's policies decide what follows.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException when no such replica is there; the message names the nearest, or a valid one
     * @throws IllegalStateException when the job has ended, or this handle is closed
     */
    void delete(String replica);

    /**
     * Stops the job; no effect on one that has ended.
     *
     * @throws IllegalStateException when this handle is closed and the job has not ended
     */
    void cancel();

    /**
     * Stops all that runs of the job, with its grace, until {@link #resume}: the numbers of replicas, what has succeeded and what
     * was spent of limits stay; the deadline does not count. What a replica did not write down is lost. No effect on a
     * job that is suspended.
     *
     * @throws IllegalStateException when the job has ended, or this handle is closed
     * @throws UnsupportedOperationException when nothing of a job survives its replicas where it runs
     */
    default void suspend() {
        throw new UnsupportedOperationException("job \"" + plan().name()
                + "\" cannot be suspended where it runs, since its in-memory state would be lost; cancel it and"
                + " submit it again from its checkpoint");
    }

    /**
     * Resumes a suspended job: its replicas are created again, workers under the next ids, and the deadline counts from the start.
     * No effect on a job that is not suspended.
     *
     * @throws IllegalStateException when the job has ended, or this handle is closed
     * @throws UnsupportedOperationException when the job cannot be suspended where it runs
     */
    default void resume() {
        throw new UnsupportedOperationException(
                "job \"" + plan().name() + "\" cannot be suspended where it runs, so it cannot be resumed either");
    }

    /**
     * Waits for the end.
     *
     * @param limit how long at most, in real time
     * @return the status of the ended job
     * @throws JobTimeoutException when it has not ended by then; it goes on
     * @throws JobLostException when this handle drives the job no more: another program does, its record was deleted, its place
     *     was unreachable for longer than allowed, or the loop itself failed, which is the cause then
     * @throws IllegalStateException when this handle is closed before the job has ended
     * @throws InterruptedException when the waiting thread is interrupted
     */
    JobStatus await(Duration limit) throws InterruptedException;

    /**
     * Waits until the job has succeeded. {@link #await} instead returns the final status of every job, also of a failed one.
     *
     * @param limit the longest wait, in real time
     * @return the final status, with phase SUCCEEDED
     * @throws JobFailedException when the job failed or was cancelled; its message has the reason
     * @throws JobTimeoutException when the job has not ended within the limit; it continues
     * @throws JobLostException when another program drives the job now, or its record is gone
     * @throws IllegalStateException when this handle is closed before the job has ended
     * @throws InterruptedException when the waiting thread is interrupted
     */
    default JobStatus awaitSuccess(Duration limit) throws InterruptedException {
        JobStatus end = await(limit);
        if (end.phase() != JobPhase.SUCCEEDED) {
            throw new JobFailedException(end);
        }
        return end;
    }

    /**
     * Opens a byte channel to a port on which a replica listens: by loopback where the replica runs on this machine, by the API
     * server's port-forward on a cluster. Any number of channels can be open; each is blocking, for one reading and one writing thread
     * at a time, and ended by closing it, which ends a read or write of another thread, too. It has no half-close.
     *
     * <pre>{@code
     * int port = run.plan().replica("master", 0).endpoint().port();
     * try (ByteChannel master = run.connect("master-0", port)) {
     *   master.write(request);
     * }
     * }</pre>
     *
     * <p>A read returns -1 once the replica has closed the connection. It throws an {@link IOException} when the connection was lost, as
     * the replica or its node is gone. A cluster tells only then that nothing listens on the port; this machine tells at once.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @param port from 1 to 65535; a replica's own is in {@link #plan()}
     * @return to be closed by the caller; closing this handle may end it
     * @throws IOException when the replica does not run, nothing listens on the port, or no connection is made within ten seconds
     * @throws IllegalArgumentException when there is no such replica, or for another port
     * @throws UnsupportedOperationException when replicas cannot be connected to where the job runs
     * @throws InterruptedException when the waiting thread is interrupted
     */
    default ByteChannel connect(String replica, int port) throws IOException, InterruptedException {
        throw new UnsupportedOperationException("job \"" + plan().name() + "\": replica \"" + replica
                + "\" cannot be connected to: " + getClass().getSimpleName() + " opens no channels to ports;"
                + " LocalExecutor, KubernetesExecutor and CustomResourceExecutor do");
    }

    /**
     * Asks to be told every event from now on, in order, on the job's thread. A listener that throws, whatever it
     * is, is not called again, and an event says so; an {@code OutOfMemoryError} ends the loop, as {@link #await} says.
     *
     * @return ends the notifications when closed
     */
    Subscription onEvent(Consumer<JobEvent> listener);

    /** What happened, oldest first; the last 1000 events are kept. */
    List<JobEvent> events();

    /**
     * Stops following and driving the job; does not cancel it. Leaves no thread behind; a second call does nothing.
     *
     * @throws IllegalStateException when the job's thread does not end, as its place or a listener holds it
     */
    @Override
    void close();
}
