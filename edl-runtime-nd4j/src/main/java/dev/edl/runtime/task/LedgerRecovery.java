package dev.edl.runtime.task;

import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.Leases.Lease;
import dev.edl.runtime.task.LedgerEvent.Reason;
import dev.edl.runtime.task.LedgerEvent.Recovered;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * A master's changes to its ledger after a takeover from another process, or after the loss of a version under
 * evaluation or of everything. Each call is an event of the ledger. Not thread-safe, like the ledger.
 */
public final class LedgerRecovery {
    private final LedgerState state;
    private final Consumer<LedgerEvent> emit;

    LedgerRecovery(LedgerState state, Consumer<LedgerEvent> emit) {
        this.state = state;
        this.emit = emit;
    }

    /**
     * Continues the work of masters of another process, from the state of the parameter shards. Call it after {@link
     * TaskLedger#resume}.
     *
     * @param failures failure counts of ranges before; those of ranges that are complete are ignored
     * @param evaluated model versions whose evaluation has ended
     */
    public void rebuild(List<RangeFailureCount> failures, LongStream evaluated) {
        emit.accept(new LedgerEvent.Rebuilt(failures));
        List<RecordRange> all = state.spec.evaluationShards().stream()
                .filter(shard -> shard.records() > 0)
                .map(shard -> new RecordRange(shard.name(), 0, shard.records()))
                .toList();
        evaluated.forEach(version -> emit.accept(new LedgerEvent.EvaluationResumed(version, all)));
    }

    /** Restarts the training, because nothing that earlier masters completed is left. */
    public void beginAnew() {
        emit.accept(new LedgerEvent.BegunAnew());
    }

    /**
     * Requeues ranges that an early stop left out although a parameter shard holds part of their pushes. After the
     * takeover of another process, a worker may have continued a range that this ledger never handed out.
     *
     * @param held returns the minibatches of an epoch that any parameter shard has applied or will apply
     * @return the number of epochs with requeued ranges; 0 for a training that was not stopped
     */
    public int reinstate(IntFunction<BitSet> held) {
        List<LedgerEvent.Reinstated> wrong =
                state.stopped() == null ? List.of() : new RangesFromPushes(state).leftOut(held);
        wrong.forEach(emit);
        return wrong.size();
    }

    /**
     * Continues the evaluation of a version from its recorded state, which replaces the ledger's own. Leased tasks stay
     * with their workers, unless {@code known} contains their range.
     *
     * @param known ranges whose results are recorded; each covers whole tasks
     */
    public void resumeEvaluation(long modelVersion, List<RecordRange> known) {
        takeBack(modelVersion, task -> known.stream().anyMatch(range -> range.contains(task.range())));
        emit.accept(new LedgerEvent.EvaluationResumed(modelVersion, known));
    }

    /**
     * Discards the evaluation of a version whose parameters are lost, whether it is open or complete.
     * {@link TaskLedger#evaluateAgain} requests the version again.
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
