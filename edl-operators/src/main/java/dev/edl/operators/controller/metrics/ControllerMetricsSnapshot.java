package dev.edl.operators.controller.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Metrics of a controller at one moment. A standby controller has no jobs, no queue and no watches. Immutable.
 *
 * @param leads whether the controller holds the lease and drives the jobs
 * @param ready whether the controller is a standby, or its watches have listed the objects of all its kinds
 * @param jobs number of jobs that it drives
 * @param replicas sum over these jobs of the largest number of replicas that each may have
 * @param queueDepth number of objects that wait for a thread to reconcile them
 * @param passes number of reconcile passes in progress, each of one object
 * @param stuckPasses number of passes in progress that have taken longer than a second
 * @param oldestWait longest time that an object has been waiting for a thread
 * @param lastPass time since the last reconcile pass ended; empty for a standby
 * @param watches time since the last event of each watch
 * @param refusals number of failed reconcile passes since the program started, by cause
 * @param refusedRequests number of requests for its jobs that were rejected or unanswered since the program started, by
 *     cause
 */
public record ControllerMetricsSnapshot(
        boolean leads,
        boolean ready,
        int jobs,
        int replicas,
        int queueDepth,
        int passes,
        int stuckPasses,
        Duration oldestWait,
        Optional<Duration> lastPass,
        Map<Watch, Duration> watches,
        Map<String, Long> refusals,
        Map<String, Long> refusedRequests) {
    /** Time for which an object must have waited for a thread before the controller counts as stalled. */
    private static final Duration STALLED = Duration.ofMinutes(5);

    /**
     * Watch of the objects of one kind.
     *
     * @param resource plural and API group of the watched kind, such as {@code tfjobs.tensorflow.org}
     * @param namespace watched namespace; empty for all namespaces
     */
    public record Watch(String resource, String namespace) {}

    /** Copies the maps. */
    public ControllerMetricsSnapshot {
        watches = Map.copyOf(watches);
        refusals = Map.copyOf(refusals);
        refusedRequests = Map.copyOf(refusedRequests);
    }

    /**
     * Returns whether the queue makes progress: no object has waited five minutes or longer for a thread. A liveness
     * probe fails if this is false.
     */
    public boolean live() {
        return oldestWait.compareTo(STALLED) < 0;
    }
}
