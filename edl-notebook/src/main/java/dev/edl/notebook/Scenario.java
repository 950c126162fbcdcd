package dev.edl.notebook;

/**
 * Changes to a run while a cell watches it, such as killing a worker.
 *
 * <pre>{@code
 * watch(run, Duration.ofMinutes(5), live -> {
 *   live.awaitShare(0.3);
 *   run.kill("worker-1");
 *   live.awaitShare(0.6);
 *   run.scale("worker", 6);
 * });
 * }</pre>
 */
@FunctionalInterface
public interface Scenario {
    /** Runs the scenario once, on a separate thread. */
    void play(LiveTraining live) throws Exception;
}
