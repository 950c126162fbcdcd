package dev.edl.notebook;

/**
 * What happens to a run while a cell watches it, such as a worker that is killed.
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
    /** Plays the scenario once, on a thread of its own. */
    void play(LiveTraining live) throws Exception;
}
