package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.wire.control.internal.MessageArguments;
import dev.edl.runtime.wire.control.internal.MessageNames;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the task behind the present one before it is needed: with the last minibatch but one the worker asks whether it still
 * has the next task, and has the answer by the time that it starts it. Safe for several threads.
 */
final class TaskPrefetch {
    private final RpcPeer peer;
    private @Nullable Task ahead;
    private @Nullable CompletableFuture<JsonNode> claim;
    private @Nullable Task present;
    private int minibatches;

    TaskPrefetch(RpcPeer peer) {
        this.peer = peer;
    }

    /** The worker holds nothing any more. */
    synchronized void none() {
        ahead = null;
        claim = null;
    }

    /** The worker holds a task ahead. */
    synchronized void holds(Task task) {
        ahead = task;
        claim = null;
    }

    /** A minibatch of a task is done. */
    synchronized void touched(Task task) {
        if (!task.equals(present)) {
            present = task;
            minibatches = 0;
        }
        minibatches++;
        Task next = ahead;
        if (next != null && claim == null && !next.equals(task) && minibatches >= task.minibatches() - 1) {
            claim = peer.requestAsync(MessageNames.STARTS, MessageArguments.of("task", next));
        }
    }

    /** Returns the answer to whether the worker has a task; it may be on its way. */
    synchronized CompletableFuture<JsonNode> starts(Task task) {
        CompletableFuture<JsonNode> early = claim;
        boolean asked = early != null && task.equals(ahead);
        none();
        return asked && early != null
                ? early
                : peer.requestAsync(MessageNames.STARTS, MessageArguments.of("task", task));
    }
}
