package dev.edl.runtime.task;

/** The ledger's response to a worker's request for work. */
public sealed interface Assignment {
    /** Lease of a task. The worker holds the task until it reports the task or is gone, or the lease expires. */
    record Lease(Task task) implements Assignment {}

    /**
     * No task at present. Other workers still hold tasks, which may return to the queue.
     *
     * @param reason the cause of the wait, for example {@code 2 tasks are with worker-1, worker-3}
     */
    record Wait(String reason) implements Assignment {}

    /** All work is complete; the worker may leave. */
    record Finished() implements Assignment {}

    /**
     * The training cannot be completed, because a range of records failed too often. No more tasks are handed out.
     *
     * @param message text for people with the shard, range, epoch, count of failures and last error
     */
    record Failed(String message) implements Assignment {}
}
