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
 * Handle of a submitted job, for its status and events, and for requests to it. Thread-safe.
 *
 * <p>Each request is checked at once, and throws if it is invalid. The job's control loop applies it soon after.
 */
public interface JobHandle extends AutoCloseable {
    /** Returns the plan of the job. */
    JobPlan plan();

    /** Returns the job's status after the last pass of its control loop. */
    JobStatus status();

    /**
     * Returns why a replica does not run yet, with advice; empty if it runs or has ended.
     *
     * <p>Reasons are: its creation is refused, no node has room, its image cannot be pulled, its backoff is not over,
     * or it waits for other replicas.
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
     * Requests another number of replicas of a role. Growing creates replicas with the next ids. Shrinking removes
     * pending replicas first, then the highest ids, never the leader.
     *
     * @param role the role's id, {@code worker}
     * @throws IllegalArgumentException when the job has no such role, the role is not elastic, or the number is out of
     *     bounds
     * @throws IllegalStateException when the job has ended, or this handle is closed
     */
    void scale(String role, int replicas);

    /**
     * Deletes a replica, as {@code kubectl delete pod} does; the job's policies decide about its relaunch.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @throws IllegalArgumentException when no such replica exists; the message names the nearest, or a valid one
     * @throws IllegalStateException when the job has ended, or this handle is closed
     */
    void delete(String replica);

    /**
     * Cancels the job; has no effect on an ended job.
     *
     * @throws IllegalStateException when this handle is closed and the job has not ended
     */
    void cancel();

    /**
     * Suspends the job until {@link #resume}: its replicas stop, with their grace period.
     *
     * <p>Desired numbers of replicas, succeeded replicas and the counts of relaunches stay. The job's deadline does not
     * apply until it resumes. State that a replica has not saved is lost. If the job is already suspended, the call has
     * no effect.
     *
     * @throws IllegalStateException when the job has ended, or this handle is closed
     * @throws UnsupportedOperationException when the executor keeps the job's state in memory only
     */
    default void suspend() {
        throw new UnsupportedOperationException("job \"" + plan().name()
                + "\" cannot be suspended where it runs, since its in-memory state would be lost; cancel it and"
                + " submit it again from its checkpoint");
    }

    /**
     * Resumes a suspended job: its replicas are created again, workers under the next ids, and the deadline counts from
     * then. If the job is not suspended, the call has no effect.
     *
     * @throws IllegalStateException when the job has ended, or this handle is closed
     * @throws UnsupportedOperationException when the executor cannot suspend jobs
     */
    default void resume() {
        throw new UnsupportedOperationException(
                "job \"" + plan().name() + "\" cannot be suspended where it runs, so it cannot be resumed either");
    }

    /**
     * Waits until the job has ended.
     *
     * @param limit the longest wait, in real time
     * @return the status of the ended job
     * @throws AwaitTimeoutException when the job has not ended within the limit; it continues
     * @throws JobLostException when this handle no longer drives the job: another program took it over, its record was
     *     deleted, its substrate was unreachable for longer than allowed, or the loop's own code threw an exception,
     *     which is then the root cause
     * @throws IllegalStateException when this handle is closed before the job has ended
     * @throws InterruptedException when the waiting thread is interrupted
     */
    JobStatus await(Duration limit) throws InterruptedException;

    /**
     * Waits until the job has succeeded. {@link #await} instead returns the final status of any job, even a failed one.
     *
     * @param limit the longest wait, in real time
     * @return the final status, with phase SUCCEEDED
     * @throws JobFailedException when the job failed or was cancelled; its message has the reason
     * @throws AwaitTimeoutException when the job has not ended within the limit; it continues
     * @throws JobLostException when this handle no longer drives the job, for the reasons of {@link #await}
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
     * Opens a byte channel to a port of a replica: over loopback on this machine, by the API server's port-forward on a
     * cluster.
     *
     * <p>Any number of channels can be open. Reads and writes block; one thread may read while another one writes.
     * Closing a channel also ends another thread's read or write. A channel cannot be closed for one direction only.
     *
     * <pre>{@code
     * int port = run.plan().replica("master", 0).endpoint().port();
     * try (ByteChannel master = run.connect("master-0", port)) {
     *   master.write(request);
     * }
     * }</pre>
     *
     * <p>A read returns -1 once the replica has closed the connection. It throws an {@link IOException} when the
     * connection is lost because the replica or its node is gone. If nothing listens on the port, {@code connect}
     * throws for a process of this machine; on a cluster, the first read or write throws.
     *
     * @param replica {@code worker-0}, {@code master}, or a full name
     * @param port from 1 to 65535; {@link #plan()} has the port on which the replica serves
     * @return the channel, which the caller closes; closing this handle may end it
     * @throws IOException when the replica does not run, nothing listens on the port, or no connection is made within
     *     ten seconds
     * @throws IllegalArgumentException when there is no such replica, or the port is out of range
     * @throws UnsupportedOperationException when the executor cannot connect to replicas
     * @throws InterruptedException when the waiting thread is interrupted
     */
    default ByteChannel connect(String replica, int port) throws IOException, InterruptedException {
        throw new UnsupportedOperationException("job \"" + plan().name() + "\": replica \"" + replica
                + "\" cannot be connected to: " + getClass().getSimpleName() + " opens no channels to ports;"
                + " LocalExecutor, KubernetesExecutor and CustomResourceExecutor do");
    }

    /**
     * Adds a listener that is called with every later event, in order, on the thread of the job's control loop. Events
     * of work outside of the loop come on other threads, possibly at the same time: a refused request of another
     * program, and steps of a scaling through a hostfile. A listener that throws is removed, and an event reports it. If
     * it throws an {@code OutOfMemoryError}, the loop also ends as lost, see {@link #await}.
     *
     * @return the subscription, which removes the listener when closed
     */
    Subscription onEvent(Consumer<JobEvent> listener);

    /** Returns the last 1000 events of the job, oldest first. */
    List<JobEvent> events();

    /**
     * Stops driving and observing the job without cancelling it. Leaves no thread behind; a second call does nothing.
     *
     * @throws IllegalStateException when the job's thread does not end, because its substrate or a listener blocks it
     */
    @Override
    void close();
}
