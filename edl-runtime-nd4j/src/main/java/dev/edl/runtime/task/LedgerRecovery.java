package dev.edl.runtime.task;

import dev.edl.runtime.task.LedgerEvent.Reason;
import dev.edl.runtime.task.LedgerEvent.Recovered;
import dev.edl.runtime.task.internal.Leases.Lease;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * What a master tells its ledger after a loss: of its journal, of a version that was being evaluated, or of everything. Each call is
 * an event of the ledger. For the callers of the ledger, one at a time.
 */
public final class LedgerRecovery {
    private final LedgerState state;
    private final Consumer<LedgerEvent> emit;

    LedgerRecovery(LedgerState state, Consumer<LedgerEvent> emit) {
        this.state = state;
        this.emit = emit;
    }

    /**
     * Continues without the history: what was done is told by the parameter shards. To be called behind {@link TaskLedger#resume}.
     *
     * @param failures how often ranges had failed
     */
    public void rebuild(List<TaskFailures> failures) {
        emit.accept(new LedgerEvent.Rebuilt(failures));
    }

    /** Begins although an earlier master has led, because nothing is left of what it did. */
    public void beginAnew() {
        emit.accept(new LedgerEvent.BegunAnew());
    }

    /**
     * Puts back what a stop left out although a parameter shard holds a part of it: after the journal was lost, a worker of before
     * may have gone on with a range that this ledger never handed out.
     *
     * @param held the minibatches of an epoch that any parameter shard has applied or is about to
     * @return how many epochs it was of; 0 for a training that was not stopped
     */
    public int reinstate(IntFunction<BitSet> held) {
        List<LedgerEvent.Reinstated> wrong = state.stopped() == null ? List.of() : new HeldWork(state).leftOut(held);
        wrong.forEach(emit);
        return wrong.size();
    }

    /**
     * Continues the evaluation of a version with what is known of it; what this ledger knew counts no longer. Tasks that are out stay
     * with their workers unless their range is known.
     *
     * @param known ranges that were measured; whole tasks
     */
    public void resumeEvaluation(long modelVersion, List<RecordRange> known) {
        takeBack(modelVersion, task -> known.stream().anyMatch(range -> range.contains(task.range())));
        emit.accept(new LedgerEvent.EvaluationResumed(modelVersion, known));
    }

    /**
     * Gives up the evaluation of a version whose parameters are lost, whether it is open or complete; nothing of it counts.
     * {@link TaskLedger#evaluateAgain} asks for the version again.
     */
    public void loseEvaluation(long modelVersion) {
        takeBack(modelVersion, task -> true);
        emit.accept(new LedgerEvent.EvaluationLost(modelVersion));
    }

    private void takeBack(long modelVersion, Predicate<Task> which) {
        List<Task> out = state.leases.all().stream()
                .map((Lease lease) -> lease.task)
                .filter(task -> task.type() != TaskType.TRAINING && task.modelVersion() == modelVersion)
                .filter(which)
                .toList();
        out.forEach(task -> emit.accept(new Recovered(task, Reason.REOPENED)));
    }
}
