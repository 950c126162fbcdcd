package dev.edl.operators.controller.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The metrics of a controller at one moment. A standby controller drives no job, and has no queue and no watches. Immutable.
 *
 * @param leads whether it drives the jobs
 * @param ready whether it is a standby, or has listed the objects of all its kinds
 * @param jobs that it drives
 * @param replicas the most that these jobs may have, all together
 * @param queueDepth objects that wait for a thread
 * @param passes that are under way, each of one object
 * @param stuckPasses how many of those take longer than a second
 * @param oldestWait of an object for a thread
 * @param lastPass the time since a pass ended; empty when it stands by
 * @param watches the time since each watch told something
 * @param refusals how many passes came to nothing since the program started, by cause
 * @param refusedRequests how many requests of its jobs were refused or not answered since the program started, by cause
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
    /** An object that has waited for a thread for so long says that the controller does nothing any more. */
    private static final Duration STALLED = Duration.ofMinutes(5);

    /**
     * Names a watch.
     *
     * @param resource the plural and group of its objects, {@code tfjobs.tensorflow.org}
     * @param namespace empty for all
     */
    public record Watch(String resource, String namespace) {}

    /** Copies what is handed in. */
    public ControllerMetrics {
        watches = Map.copyOf(watches);
        refusals = Map.copyOf(refusals);
        refusedRequests = Map.copyOf(refusedRequests);
    }

    /** Whether the queue gets on: no object has waited five minutes for a thread. */
    public boolean live() {
        return oldestWait.compareTo(STALLED) < 0;
    }
}
