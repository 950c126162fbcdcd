package dev.edl.testkit.history;

import dev.edl.runtime.history.HistoryEvent;
import dev.edl.runtime.history.HistoryEvent.Accepted;
import dev.edl.runtime.history.HistoryEvent.Answered;
import dev.edl.runtime.history.HistoryEvent.Awaited;
import dev.edl.runtime.history.HistoryEvent.Began;
import dev.edl.runtime.history.HistoryEvent.Confirmed;
import dev.edl.runtime.history.HistoryEvent.Ended;
import dev.edl.runtime.history.HistoryEvent.Pulled;
import dev.edl.runtime.history.HistoryEvent.Refused;
import dev.edl.runtime.history.HistoryEvent.Saved;
import dev.edl.runtime.history.HistoryEvent.Sent;
import dev.edl.runtime.history.HistoryEvent.Started;
import dev.edl.runtime.history.HistoryEvent.Stopped;
import dev.edl.runtime.history.HistoryEvent.TaskCompleted;
import dev.edl.runtime.history.HistoryEvent.Updated;
import org.jspecify.annotations.Nullable;

/**
 * Checks from the history of a run that the staleness bound held and that no push was lost or applied twice; reports
 * violations. Checks every {@link HistoryRule} for every event. Shares no state and no code with the components that it
 * checks, except that the replay of gradients uses the parameter shards and their optimizers.
 *
 * <p>Reads the history once. Needs about 100 bytes of memory per update, independent of the model's size.
 *
 * <pre>{@code
 * HistoryReport report = HistoryChecker.check(History.read(Path.of("run.history")));
 * if (!report.holds()) {
 *   throw new AssertionError(report.toString());
 * }
 * }</pre>
 */
public final class HistoryChecker {
    private final ViolationCollector violations = new ViolationCollector();
    private @Nullable Rules rules;

    private HistoryChecker() {}

    /**
     * Checks a whole history.
     *
     * @throws IllegalArgumentException if the first event is not {@link HistoryEvent.Began}
     * @throws java.io.UncheckedIOException if the history's file can no longer be read
     */
    public static HistoryReport check(History history) {
        HistoryChecker checker = new HistoryChecker();
        history.forEach(checker::accept);
        if (checker.rules == null) {
            throw new IllegalArgumentException("a history must begin with a Began event, but it is empty");
        }
        return new HistoryReport(
                checker.violations, history.count(), history.tear().orElse(null));
    }

    private void accept(HistoryEvent event) {
        violations.event++;
        if (rules == null) {
            if (!(event instanceof Began began)) {
                throw new IllegalArgumentException("a history must begin with a Began event, was " + event);
            }
            rules = new Rules(began, violations);
        } else {
            rules.accept(event);
        }
    }

    /** The rules for workers, shards and master, and their shared state. */
    private static final class Rules {
        private final WorkerRules workers;
        private final ShardRules shards;
        private final MasterRules master;

        Rules(Began began, ViolationCollector violations) {
            HistoryCheckContext context = new HistoryCheckContext(began, violations);
            this.workers = new WorkerRules(context);
            this.shards = new ShardRules(context);
            this.master = new MasterRules(context);
        }

        void accept(HistoryEvent event) {
            if (event instanceof Pulled e) {
                workers.pulled(e);
            } else if (event instanceof Sent e) {
                workers.sent(e);
            } else if (event instanceof Answered e) {
                workers.answered(e);
            } else if (event instanceof Awaited e) {
                workers.awaited(e);
            } else if (event instanceof Started e) {
                shards.started(e);
            } else if (event instanceof Accepted e) {
                shards.accepted(e);
            } else if (event instanceof Refused e) {
                shards.refused(e);
            } else if (event instanceof Updated e) {
                shards.updated(e);
            } else if (event instanceof Saved e) {
                shards.saved(e);
            } else if (event instanceof Stopped e) {
                shards.stopped(e);
            } else if (event instanceof Confirmed e) {
                master.confirmed(e);
            } else if (event instanceof TaskCompleted e) {
                master.completed(e);
            } else if (event instanceof Ended e) {
                master.ended(e);
            } else {
                throw new IllegalArgumentException("a history must have one Began event, found another: " + event);
            }
        }
    }
}
