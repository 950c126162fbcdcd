package dev.edl.runtime.history;

/**
 * A rule that a history breaks.
 *
 * @param rule which
 * @param event number of the event at which it shows, from 1
 * @param message what is wrong: names the worker, the shard, the push, the versions
 */
public record HistoryViolation(HistoryRule rule, long event, String message) {
    /**
     * Returns text for people, for example {@code event 57, ONCE: ps-1 accepted push 17 of worker-0, which it has
     * applied already}.
     */
    @Override
    public String toString() {
        return "event " + event + ", " + rule + ": " + message;
    }
}
