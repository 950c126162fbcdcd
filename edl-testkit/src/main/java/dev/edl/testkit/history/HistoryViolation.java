package dev.edl.testkit.history;

/**
 * Violation of a rule by a history.
 *
 * @param rule the violated rule
 * @param event number of the event that shows the violation, from 1
 * @param message text that describes the deviation, with worker, shard, push and versions
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
