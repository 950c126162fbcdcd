package dev.edl.testkit.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Violations found so far, and the number of the current event. */
final class ViolationCollector {
    private static final int KEPT = 100;

    final List<HistoryViolation> violations = new ArrayList<>();
    long total;
    long event;
    long sent;
    long accepted;
    long updates;
    long largestStaleness;
    long restores;
    long lost;
    long redone;
    long replayed;
    boolean ended;

    void violated(HistoryRule rule, String message) {
        total++;
        if (violations.size() < KEPT) {
            violations.add(new HistoryViolation(rule, event, message));
        }
    }

    /**
     * Records a violation of a rule unless {@code holds}. Builds the message only for a violation, because rules are
     * checked for every event.
     */
    void require(boolean holds, HistoryRule rule, Supplier<String> message) {
        if (!holds) {
            violated(rule, message.get());
        }
    }
}
