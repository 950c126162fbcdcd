package dev.edl.operators.controller.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Metrics of a controller at one moment. A standby controller has no jobs, no queue and no watches. Immutable.
 *
 * @param leads whether it drives the jobs
 * @param ready whether it is a standby, or has listed the objects of all its kinds
 * @param jobs number of jobs driven
 * @param replicas largest number of replicas of these jobs together
 * @param queueDepth objects that wait for a thread
 * @param passes passes in progress, each of one object
 * @param stuckPasses those of them that have taken longer than a second
 * @param oldestWait longest wait of an object for a thread
 * @param lastPass time since a pass ended; empty for a standby
 * @param watches time since the last event of each watch
 * @param refusals failed passes since the program started, by cause
 * @param refusedRequests requests of its jobs that were rejected or unanswered since the program started, by cause
 */
public record ControllerMetrics(
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
    /** Wait of an object for a thread after which the controller counts as stalled. */
    private static final Duration STALLED = Duration.ofMinutes(5);

    /**
     * A watch.
     *
     * @param resource the plural and group of its objects, {@code tfjobs.tensorflow.org}
     * @param namespace empty for all
     */
    public record Watch(String resource, String namespace) {}

    /** Copies the maps. */
    public ControllerMetrics {
        watches = Map.copyOf(watches);
        refusals = Map.copyOf(refusals);
        refusedRequests = Map.copyOf(refusedRequests);
    }

    /** Whether the queue makes progress: no object has waited five minutes for a thread. */
    public boolean live() {
        return oldestWait.compareTo(STALLED) < 0;
    }
}
