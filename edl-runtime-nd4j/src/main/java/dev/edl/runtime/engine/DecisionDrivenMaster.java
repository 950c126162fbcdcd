package dev.edl.runtime.engine;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.decisions.Decisions;
import dev.edl.runtime.engine.decisions.OpenEvaluation;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.RangeFailureCount;
import dev.edl.runtime.task.TaskLedger;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Ledger master that applies decisions of {@link TrainingDecisions} to its ledger: an early stop, and evaluations. */
abstract class DecisionDrivenMaster extends LedgerMaster {
    private volatile @Nullable Callbacks callbacks;
    private volatile @Nullable TrainingDecisions decisions;

    DecisionDrivenMaster(TaskLedger ledger, List<LedgerEvent> seen, EventHub events, LongSupplier nanos, String last) {
        super(ledger, seen, events, nanos, last);
    }

    /** Sets the callbacks and the decisions. The master applies decisions from this call on. */
    final void begin(Callbacks begun, TrainingDecisions what) {
        callbacks = begun;
        decisions = what;
    }

    /** Returns whether the master applies decisions. */
    final boolean hasBegun() {
        return decisions != null;
    }

    final TrainingDecisions decisions() {
        return Objects.requireNonNull(decisions, "the master has not begun, so it has no decisions yet");
    }

    final Callbacks callbacks() {
        return Objects.requireNonNull(callbacks, "the master has not begun, so it has no callbacks yet");
    }

    /** Restarts the training, because nothing that earlier masters completed is left. */
    final void beginAnew() {
        enter();
        try {
            ledger.recovery().beginAnew();
            outbox.add(new TrainingEvent.BegunAnew());
        } finally {
            unlock();
        }
    }

    /** Returns whether the training may be stopped early: it is neither stopped nor complete. */
    final boolean canStop() {
        enter();
        try {
            return ledger.stopped().isEmpty() && !ledger.trainingComplete();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the training early, as decided: recalls all tasks that no worker has begun. Returns false if nothing was
     * left out, because the training was stopped before or is complete.
     */
    final boolean applyStop(String reason) {
        enter();
        try {
            recallAll();
            return ledger.stop(reason);
        } finally {
            unlock();
        }
    }

    /** Queues the decided evaluation of a model version, also one that was evaluated before with other parameters. */
    final void queueEvaluation(long version) {
        lock.lock();
        try {
            if (!isRetired() && !ledger.evaluate(version)) {
                ledger.evaluateAgain(version);
            }
        } finally {
            unlock();
        }
    }

    /** Discards the evaluation of a version whose parameters are lost. */
    final void loseEvaluation(long version) {
        lock.lock();
        try {
            if (!isRetired()) {
                ledger.recovery().loseEvaluation(version);
            }
        } finally {
            unlock();
        }
    }

    /**
     * Reconciles the ledger's evaluations with the recorded decisions, which may be ahead of the ledger or behind it.
     */
    final void matchEvaluations(Decisions before) {
        enter();
        try {
            for (long version : ledger.openEvaluations()) {
                if (before.evaluation(version).isEmpty()) {
                    ledger.recovery().loseEvaluation(version);
                }
            }
            for (OpenEvaluation open : before.open()) {
                ledger.recovery().resumeEvaluation(open.version(), open.known(ledger.spec()));
            }
        } finally {
            unlock();
        }
        // The last part may have been recorded without the end of the evaluation.
        for (OpenEvaluation open : before.open()) {
            if (!openEvaluations().contains(open.version())) {
                decisions().complete(open.version());
            }
        }
    }

    final List<Long> openEvaluations() {
        enter();
        try {
            return ledger.openEvaluations();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the failure counts of the ranges. */
    final List<RangeFailureCount> failures() {
        enter();
        try {
            return ledger.failures();
        } finally {
            lock.unlock();
        }
    }
}
