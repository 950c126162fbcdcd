package dev.edl.runtime.task;

/** The ledger's answer to a worker that asks for work. */
public sealed interface Assignment {
    /** Work: the worker holds the task until it reports, is gone, or the lease expires. */
    record Lease(Task task) implements Assignment {}

    /**
     * Nothing now, but there may be something later: others still hold tasks, which may come back.
     *
     * @param reason what is waited for, for example {@code 2 tasks are with worker-1, worker-3}
     */
    record Wait(String reason) implements Assignment {}

    /** Everything is done: the worker may leave. */
    record Finished() implements Assignment {}

    /**
     * The training cannot be completed: a range failed too often. No more work is handed out.
     *
     * @param message names shard, range, epoch, count and the last error
     */
    record Failed(String message) implements Assignment {}
}
