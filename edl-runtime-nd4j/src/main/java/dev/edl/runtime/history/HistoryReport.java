package dev.edl.runtime.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What {@link HistoryChecker} found. Immutable. */
public final class HistoryReport {
    private final ViolationCollector violations;
    private final long events;
    private final @Nullable String tear;

    HistoryReport(ViolationCollector violations, long events, @Nullable String tear) {
        this.violations = violations;
        this.events = events;
        this.tear = tear;
    }

    /** Returns whether no rule was broken in what was recorded. Says nothing of what a torn history lacks. */
    public boolean holds() {
        return violations.total == 0;
    }

    /** Returns whether the training came to its end, and all of it is in the history. */
    public boolean complete() {
        return violations.ended && tear == null;
    }

    /** Returns the first violations, at most 100, in the order of events. */
    public List<HistoryViolation> violations() {
        return List.copyOf(violations.violations);
    }

    /** Returns number of violations, of which {@link #violations()} gives the first. */
    public long violationCount() {
        return violations.total;
    }

    /** Returns number of events. */
    public long events() {
        return events;
    }

    /** Gradients that workers sent, each try counted. */
    public long sent() {
        return violations.sent;
    }

    /** Pushes that shards took, counted at each shard. */
    public long accepted() {
        return violations.accepted;
    }

    /** Updates made, of all shards together. */
    public long updates() {
        return violations.updates;
    }

    /** Returns the most updates that lay between pull and push of an accepted gradient. */
    public long largestStaleness() {
        return violations.largestStaleness;
    }

    /** Returns how often a shard's life was followed by another. */
    public long restores() {
        return violations.restores;
    }

    /** Pushes that a shard had taken and its next life did not know, counted at each shard. */
    public long lost() {
        return violations.lost;
    }

    /** Of the lost ones, those that the shard has taken again. */
    public long redone() {
        return violations.redone;
    }

    /** Updates that were computed anew and gave the same weights; 0 unless gradients were recorded. */
    public long replayed() {
        return violations.replayed;
    }

    /**
     * Some lines for people: {@code holds: 1,200 pushes sent, 2,400 taken in 2,400 updates, staleness at most 3, 2
     * restores, 40 pushes lost, 40 of them redone}, or {@code DOES NOT HOLD: } with violations.
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
