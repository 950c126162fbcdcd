package dev.edl.testkit.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Result of checking a history with {@link HistoryChecker}. Immutable. */
public final class HistoryReport {
    private final ViolationCollector violations;
    private final long events;
    private final @Nullable String tear;

    HistoryReport(ViolationCollector violations, long events, @Nullable String tear) {
        this.violations = violations;
        this.events = events;
        this.tear = tear;
    }

    /**
     * Returns whether the recorded events violate no rule. Events that are missing at the end of an incomplete history
     * are not checked.
     */
    public boolean holds() {
        return violations.total == 0;
    }

    /** Returns whether the history includes the end of the training and its file ends with a complete event. */
    public boolean complete() {
        return violations.ended && tear == null;
    }

    /** Returns the first violations, at most 100, in the order of events. */
    public List<HistoryViolation> violations() {
        return List.copyOf(violations.violations);
    }

    /** Returns the number of all violations, including those after the first 100. */
    public long violationCount() {
        return violations.total;
    }

    /** Returns the number of events. */
    public long events() {
        return events;
    }

    /** Returns the number of gradients that workers sent, each attempt counted. */
    public long sent() {
        return violations.sent;
    }

    /** Returns the number of accepted pushes, counted at each shard. */
    public long accepted() {
        return violations.accepted;
    }

    /** Returns the number of updates of all shards together. */
    public long updates() {
        return violations.updates;
    }

    /** Returns the largest number of updates between pull and push of any accepted gradient. */
    public long largestStaleness() {
        return violations.largestStaleness;
    }

    /** Returns how often a shard began a new life after an earlier one. */
    public long restores() {
        return violations.restores;
    }

    /** Returns the number of accepted pushes that the next life of their shard did not have, counted at each shard. */
    public long lost() {
        return violations.lost;
    }

    /** Returns the number of lost pushes that their shard accepted again, counted at each shard. */
    public long redone() {
        return violations.redone;
    }

    /** Returns the number of updates whose replay gave the recorded weights; 0 unless gradients were recorded. */
    public long replayed() {
        return violations.replayed;
    }

    /**
     * Returns some lines for people: {@code holds: 1,200 pushes sent, 2,400 taken in 2,400 updates, staleness at most
     * 3, 2 restores, 40 pushes lost, 40 of them redone}, or {@code DOES NOT HOLD: } with violations.
     */
    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s: %,d pushes sent, %,d taken in %,d updates, staleness at most %,d, %,d restores, %,d pushes lost,"
                        + " %,d of them redone%s%s%s",
                holds() ? "holds" : "DOES NOT HOLD",
                sent(),
                accepted(),
                updates(),
                largestStaleness(),
                restores(),
                lost(),
                redone(),
                replayed() == 0 ? "" : String.format(Locale.ROOT, ", %,d updates replayed", replayed()),
                violations.ended ? "" : "; the training did not end",
                tear == null ? "" : "; " + tear));
        violations.violations.forEach(violation -> lines.add(violation.toString()));
        if (violations.total > violations.violations.size()) {
            lines.add("and " + (violations.total - violations.violations.size()) + " more");
        }
        return String.join(System.lineSeparator(), lines);
    }
}
