package dev.edl.runtime;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardGroup;
import dev.edl.runtime.task.Completion;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerProgress;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import dev.edl.runtime.task.TaskType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The master's service: the task ledger behind a lock, and the evaluations that belong to it. It counts a task as
 * complete only when every parameter shard confirms its pushes, so a shard that lost its state can never lose work.
 */
final class TrainingMaster extends LedgerMaster {
    private final TrainingServices services;
    private final Training training;
    private final ShardGroup shards;
    private final Evaluations evaluations;
    /** Whether the master has something to look after at each task, beside its end. */
    private final boolean attentive;

    private @Nullable ShardCut finalCut;
    private boolean evaluationFailed;

    /** A master over a ledger that adds what it journals to {@code journaled}. */
    TrainingMaster(TrainingServices services, TaskLedger ledger, List<LedgerEvent> journaled) {
        super(ledger, journaled, services.events(), services.clock(), "the master to write what was trained");
        this.services = services;
        this.training = services.training();
        this.shards = services.shards();
        this.evaluations = services.evaluations();
        this.attentive = training.checkpointSteps() > 0 || services.callbacks().any();
    }

    /**
     * A worker has finished a task.
     *
     * @param sums the metrics' sums of an evaluation task, in the order of the training's metrics
     */
    void complete(Task task, double @Nullable [][] sums) throws InterruptedException {
        boolean news = true;
        enter();
        try {
            reported(task);
            if (task.type() == TaskType.TRAINING
                    && shards.resumeAt(task.pushId(0), task.minibatches()) < task.pushId(0) + task.minibatches()) {
                ledger.giveBack(task.id());
                return;
            }
            Completion completion = ledger.complete(task.id(), now());
            if (!completion.accepted()) {
                return;
            }
            if (task.type() == TaskType.TRAINING) {
                services.recordCompleted(task);
            }
            if (sums != null) {
                evaluations.merge(task, sums);
            }
            completion.evaluatedVersion().ifPresent(this::evaluated);
            outbox.add(new TrainingEvent.Progressed(progress()));
            endOfTraining();
            news = sums != null || attentive || ledger.trainingComplete();
        } finally {
            if (news) {
                unlock();
            } else {
                // A thread that is woken takes a processor from a worker.
                unlockQuietly();
            }
        }
    }

    /**
     * The first master of a run that goes on from a checkpoint: what the shards hold is not handed out again. To be called
     * before workers know of this master.
     */
    void resume() throws InterruptedException {
        enter();
        try {
            int epochs = ledger.progress().epochs();
            List<BitSet> applied = new ArrayList<>();
            List<BitSet> held = new ArrayList<>();
            List<Long> pending = shards.cut().shards().stream()
                    .flatMap(shard -> shard.pending().stream())
                    .toList();
            for (int epoch = 0; epoch < epochs; epoch++) {
                applied.add(shards.appliedInEpoch(epoch));
                held.add(heldInEpoch(epoch, pending));
            }
            ledger.resume(applied::get, held::get);
        } finally {
            unlock();
        }
    }

    /** Minibatches that any shard has applied, or keeps for a round that is not over. */
    private BitSet heldInEpoch(int epoch, List<Long> pending) throws InterruptedException {
        int perEpoch = ledger.spec().pushIds().minibatchesPerEpoch();
        BitSet held = new BitSet();
        for (int i = 0; i < shards.shards(); i++) {
            Optional<ParameterShard> shard = shards.shard(i);
            while (shard.isEmpty()) {
                // It is being replaced; to look at all of them is to wait for it.
                shards.appliedInEpoch(epoch);
                shard = shards.shard(i);
            }
            held.or(shard.get().appliedInEpoch(epoch));
        }
        for (long push : pending) {
            if (push / perEpoch == epoch) {
                held.set((int) (push % perEpoch));
            }
        }
        return held;
    }

    /** Ends the training before its time; whether there was anything to leave out. */
    boolean stop(String reason) {
        enter();
        try {
            return ledger.stop(reason);
        } finally {
            unlock();
        }
    }

    /** Puts back every task of which a shard has not applied all pushes. */
    void reopen() throws InterruptedException {
        enter();
        try {
            if (finalCut == null) {
                reopenMissing();
            }
        } finally {
            unlock();
        }
    }

    private void reopenMissing() throws InterruptedException {
        int reopened = 0;
        int epochs = ledger.epochsBegun();
        for (int epoch = 0; epoch < epochs; epoch++) {
            BitSet applied = shards.appliedInEpoch(epoch);
            reopened += ledger.reopen(epoch, applied::get);
        }
        if (reopened > 0) {
            outbox.add(new TrainingEvent.TasksRecovered("a parameter server that came back", reopened));
        }
    }

    /** Every shard holds a copy of its parameters at this version, a multiple of the evaluation interval. */
    void versionReached(long version) {
        Optional<ModelSnapshot> model;
        long lives = services.shardLives();
        try {
            model = shards.pinned(version);
            if (model.isEmpty()) {
                return;
            }
            shards.unpin(version);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        lock.lock();
        try {
            // Called by whoever brought the version about: that this master has left is nothing to that one.
            if (finalCut == null && !isRetired()) {
                evaluate(version, model.get(), lives);
            }
        } finally {
            unlock();
        }
    }

    /** Whether everything is done, evaluations included. */
    boolean finished() {
        enter();
        try {
            return finalCut != null && ledger.finished();
        } finally {
            lock.unlock();
        }
    }

    /** The shards' state once all training tasks are complete. */
    Optional<ShardCut> finalCut() {
        enter();
        try {
            return Optional.ofNullable(finalCut);
        } finally {
            lock.unlock();
        }
    }

    LedgerProgress ledgerProgress() {
        enter();
        try {
            return ledger.progress();
        } finally {
            lock.unlock();
        }
    }

    Progress progress() {
        enter();
        try {
            LedgerProgress p = ledger.progress();
            return services.history()
                    .progress(p, services.history().step(), services.loss().value(), now());
        } finally {
            lock.unlock();
        }
    }

    /** Takes back what was held too long, then waits for the next change; at most a tenth of a second. */
    void watch() throws InterruptedException {
        enter();
        try {
            expire();
            endOfTraining();
            if (finalCut == null || !ledger.finished()) {
                awaitNextChange();
            }
        } finally {
            unlock();
        }
    }

    private void endOfTraining() throws InterruptedException {
        if (finalCut != null || !ledger.trainingComplete()) {
            return;
        }
        long pushes = ledger.progress().minibatchesTotal();
        // A checkpoint may have held gradients of a round that was never filled.
        shards.flush();
        ShardCut cut = shards.cut();
        Optional<String> bad = GradientCheck.firstBad(training.model().layout(), cut);
        if (bad.isPresent()) {
            breakDown("model \"" + training.modelName() + "\": version " + cut.version() + ": " + bad.get()
                    + "; its gradients were finite, so a smaller learning rate may help");
        } else if (cut.shards().stream().allMatch(shard -> shard.appliedCount() == pushes)) {
            if (evaluateLast(cut, services.shardLives())) {
                finalCut = cut;
                services.keep(cut);
                services.recordEnd(ledger.completedPushes(), cut);
            }
        } else {
            // A shard came back older after the last task was complete, and nobody has compared it with the ledger yet.
            reopenMissing();
        }
    }

    /** Asks for the evaluation of a version, unless it was asked for before; whether it was not. */
    private boolean evaluate(long version, ModelSnapshot model, long lives) {
        boolean asked = training.validation().isPresent() && ledger.evaluate(version);
        if (asked) {
            evaluations.open(version, model, lives);
        }
        return asked;
    }

    /**
     * Sees to it that the evaluation of the last version is of the parameters that the training ends with; whether it is.
     * Its number may be that of an evaluation of parameters that a shard has lost since.
     */
    private boolean evaluateLast(ShardCut cut, long lives) {
        long version = cut.version();
        if (training.validation().isEmpty()
                || evaluations.isOf(version, lives)
                || evaluate(version, cut.model(), lives)) {
            return true;
        }
        // One that is open ends first; the master asks again then.
        boolean again = ledger.evaluateAgain(version);
        if (again) {
            evaluations.open(version, cut.model(), lives);
        }
        return again;
    }

    private void evaluated(long version) {
        ModelSnapshot model = evaluations.model(version);
        Map<String, Double> metrics = evaluations.close(version);
        outbox.add(new TrainingEvent.Evaluation(version, metrics));
        if (services.callbacks().any()) {
            services.callbacks().evaluated(version, metrics, TrainedModel.of(training.model(), model));
        }
    }

    /**
     * A metric or a dataset that throws on a record of the validation data would throw at the next worker, too, and each
     * try costs one; what cannot be read may be readable there.
     */
    @Override
    void failed(Task task, Exception cause) {
        boolean again = cause instanceof IOException || cause instanceof UncheckedIOException;
        if (task.type() == TaskType.EVALUATION && !again) {
            evaluationFailed = true;
            breakDown("the evaluation of version " + task.modelVersion() + " failed at " + task.range() + ": "
                    + Reason.of(cause));
        }
    }

    /** What a training that fails has come to, unless that is the model's own doing; empty before the first step. */
    Optional<ShardCut> remains() throws InterruptedException {
        enter();
        try {
            if (finalCut != null) {
                return Optional.of(finalCut);
            }
            boolean modelsOwn = isBroken() && !evaluationFailed;
            if (modelsOwn || services.missingShard() >= 0 || services.step() == 0) {
                return Optional.empty();
            }
            ShardCut cut = shards.cut();
            return GradientCheck.firstBad(training.model().layout(), cut).isPresent()
                    ? Optional.empty()
                    : Optional.of(cut);
        } finally {
            unlock();
        }
    }

    @Override
    void silent(String worker) {
        shards.leave(worker);
    }

    @Override
    void journaled(LedgerEvent event) {
        if (event instanceof LedgerEvent.EpochStarted started) {
            services.events().emit(new TrainingEvent.EpochStarted(started.epoch(), ledger.tasksOf(started.epoch())));
        } else if (event instanceof LedgerEvent.Stopped stopped) {
            services.events().emit(new TrainingEvent.Stopped(services.step(), stopped.reason()));
        }
    }
}
