package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.wire.control.internal.RpcInterface;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Claims a worker's prefetched task early. At a task's last minibatch but one, it requests to start the next task, so
 * that the response has arrived when the worker needs that task. Safe for several threads.
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

    /** Forgets the prefetched task. */
    synchronized void none() {
        ahead = null;
        claim = null;
    }

    /** Records the prefetched task. */
    synchronized void holds(Task task) {
        ahead = task;
        claim = null;
    }

    /** Records that a minibatch of a task is done. */
    synchronized void touched(Task task) {
        if (!task.equals(present)) {
            present = task;
            minibatches = 0;
        }
        minibatches++;
        Task next = ahead;
        if (next != null && claim == null && !next.equals(task) && minibatches >= task.minibatches() - 1) {
            claim = start(next);
        }
    }

    /**
     * Requests to start a task unless an early request did. Returns the response, whether the worker still holds the
     * task; it may be pending.
     */
    synchronized CompletableFuture<JsonNode> starts(Task task) {
        CompletableFuture<JsonNode> early = claim;
        boolean asked = early != null && task.equals(ahead);
        none();
        return asked && early != null ? early : start(task);
    }

    private CompletableFuture<JsonNode> start(Task task) {
        return peer.requestAsync("startPrefetched", RpcInterface.sent(task));
    }
}
