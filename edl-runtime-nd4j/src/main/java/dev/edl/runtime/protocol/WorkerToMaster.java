package dev.edl.runtime.protocol;

import dev.edl.runtime.task.Task;
import org.jspecify.annotations.Nullable;

/** What a worker says to its master, by the control plane. */
public sealed interface WorkerToMaster extends Message {
    /**
     * Begins each connection.
     *
     * @param followed the number of the term that the worker followed last; 0 for none
     * @param held the task that the worker works on; null for none
     */
    record Hello(long followed, @Nullable Task held) implements WorkerToMaster {}

    /** Asks for a task. */
    record Next(long request) implements WorkerToMaster {}

    /** Reports that every shard has answered every push of a task. The master looks that up at the shards. */
    record Report(long request, Task task) implements WorkerToMaster {}

    /**
     * Shows that the worker lives.
     *
     * @param held the task that it works on; null for none
     */
    record Beat(@Nullable Task held) implements WorkerToMaster {}
}
