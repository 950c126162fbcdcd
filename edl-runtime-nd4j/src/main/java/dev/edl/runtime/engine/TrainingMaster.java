package dev.edl.runtime.engine;

import dev.edl.runtime.Progress;
import dev.edl.runtime.StepResultCheck;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.decisions.Decisions;
import dev.edl.runtime.engine.internal.HeldPushes;
import dev.edl.runtime.engine.internal.StragglerDetector;
import dev.edl.runtime.engine.ports.FailureKind;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.task.Completion;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerProgress;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import dev.edl.runtime.task.TaskType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The master's service: the task ledger behind a lock, and the evaluations that belong to it. It counts a task as
 * complete only when every parameter shard confirms its pushes, so a shard that lost its state can never lose work.
 */
final class TrainingMaster extends DecisionDrivenMaster {
    private static final int FIRST_LIFE = 1;

    private final TrainingServices services;
    private final Training training;
    private final ShardsControl shards;
    private final StragglerDetector rounds;
    /** Whether the master has something to look after at each task, beside its end. */
    private final boolean attentive;

    /** The life of each shard that the ledger was last compared with; a first life has lost nothing. The master's thread. */
    private final int[] compared;

    private @Nullable ShardCut finalCut;
    private boolean evaluationFailed;

    /** A master over a ledger that adds what it journals to {@code journaled}; it has decided nothing yet. */
    TrainingMaster(TrainingServices services, ShardsControl shards, TaskLedger ledger, List<LedgerEvent> journaled) {
        super(ledger, journaled, services.events(), services::nanos, "the master to write what was trained");
        this.services = services;
        this.training = services.training();
        this.shards = shards;
        this.rounds = new StragglerDetector(training.roundTimeout());
        this.compared = new int[shards.count()];
        Arrays.fill(compared, FIRST_LIFE);
        this.attentive = training.checkpointSteps() > 0 || !training.callbacks().isEmpty();
    }

    /** Begins to decide, before workers know of this master. */
    void begin(Callbacks callbacks, Decisions before) {
        begin(callbacks, new TrainingDecisions(services, shards, this, before));
    }

    ShardsControl shards() {
        return shards;
    }

    Term term() {
        return shards.term();
    }

    /**
     * A worker has finished an evaluation task.
     *
     * @param sums the metrics' sums, in the order of the training's metrics
     */
    void evaluated(Task task, double[][] sums) {
        if (!decisions().hasRoomFor(task, sums)) {
            giveBack(task);
            return;
        }
        completed(task, sums);
        try {
            decisions().writeIfWhole();
        } catch (StaleTermException replaced) {
            throw new MasterGoneException();
        } catch (InterruptedException e) {
            // The master's next turn writes it.
            Thread.currentThread().interrupt();
        }
    }

    /** A worker has finished a training task, which the shards confirm outside of the lock. */
    void trained(Task task) throws InterruptedException {
        boolean settled = false;
        while (!settled) {
            long lives = services.lives().changes();
            long end = task.pushId(0) + task.minibatches();
            boolean held = shards.resumeAt(task.pushId(0), task.minibatches()) == end;
            settled = confirmed(task, held, lives);
        }
    }

    /** Completes or takes back a training task, unless a shard has begun anew since it was looked at; whether it did. */
    private boolean confirmed(Task task, boolean held, long lives) {
        enter();
        try {
            if (services.lives().changes() != lives) {
                return false;
            }
            if (held) {
                completed(task, null);
            } else {
                giveBack(task);
            }
            return true;
        } finally {
            unlockQuietly();
        }
    }

    private void completed(Task task, double @Nullable [][] sums) {
        boolean news = true;
        enter();
        try {
            reported(task);
            int workers = ledger.leases().size();
            Completion completion = ledger.complete(task, now());
            if (!completion.accepted()) {
                return;
            }
            if (task.type() == TaskType.TRAINING) {
                services.recordCompleted(task);
            }
            if (sums != null) {
                // Inside the lock: the last part must not overtake another one.
                decisions().measured(task, sums, completion.evaluatedVersion().isPresent());
            }
            Progress progress = progress();
            services.history().moved(progress, workers);
            outbox.add(new TrainingEvent.Progressed(progress));
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
     * A master without a journal: what the shards hold is not handed out again. To be called before workers know of this master.
     * Waits for every shard, outside of the lock.
     *
     * @param lost whether there was a journal
     */
    void resume(boolean lost, ServerWaits waits) throws InterruptedException {
        boolean done = false;
        while (!done) {
            long lives = services.lives().changes();
            HeldPushes held =
                    HeldPushes.of(waits.until(shards::cut), ledger.spec().pushIds());
            enter();
            try {
                done = services.lives().changes() == lives;
                if (done) {
                    ledger.resume(held::byAll, held::byAny);
                    if (lost) {
                        ledger.recovery().rebuild(decisions().now().failures());
                    }
                }
            } finally {
                unlock();
            }
        }
    }

    /**
     * Puts back what a shard has lost that began anew. Waits for none: one that is away is compared when it returns. The
     * others still have what they had, so each is compared for itself.
     */
    void reopen() {
        for (int i = 0; i < compared.length; i++) {
            int life = services.lives().of(i);
            if (life > compared[i] && reopen(i)) {
                compared[i] = life;
            }
        }
    }

    /** Puts back what one shard has lost; returns whether it is not absent. */
    private boolean reopen(int shard) {
        int epochs = epochsBegun();
        List<BitSet> applied = new ArrayList<>();
        for (int epoch = 0; epoch < epochs; epoch++) {
            Optional<BitSet> minibatches = shards.appliedBy(shard, epoch);
            if (minibatches.isEmpty()) {
                return false;
            }
            applied.add(minibatches.get());
        }
        enter();
        try {
            int reopened = 0;
            // An epoch that has begun since began with this shard in its place.
            for (int epoch = 0; epoch < epochs && finalCut == null; epoch++) {
                reopened += ledger.reopen(epoch, applied.get(epoch)::get);
            }
            if (reopened > 0) {
                outbox.add(new TrainingEvent.TasksRecovered("a parameter server that came back", reopened));
            }
        } finally {
            unlock();
        }
        return true;
    }

    private int epochsBegun() {
        enter();
        try {
            return ledger.epochsBegun();
        } finally {
            lock.unlock();
        }
    }

    /** Every shard holds a copy of its parameters at this version, a multiple of the evaluation interval. */
    void versionReached(long version) {
        lock.lock();
        try {
            if (finalCut != null || isRetired()) {
                // Called by the worker that brought the version about: that this master has left is nothing to it.
                return;
            }
        } finally {
            lock.unlock();
        }
        try {
            decisions().reached(version);
        } catch (MasterGoneException retired) {
            // The next master finds the pin.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns copies of all shards; none while one is away, in which case it does not wait. */
    Optional<ShardCut> cutIfWhole() throws InterruptedException {
        if (services.missingShard() >= 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(shards.cut());
        } catch (ShardTimeoutException away) {
            return Optional.empty();
        }
    }

    /** Returns whether everything is done, evaluations included. */
    boolean finished() {
        enter();
        try {
            if (finalCut == null || !ledger.finished()) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        return decisions().settled();
    }

    /** Returns the shards' state once all training tasks are complete. */
    Optional<ShardCut> finalCut() {
        enter();
        try {
            return Optional.ofNullable(finalCut);
        } finally {
            lock.unlock();
        }
    }

    /** Takes the place of the final cut: the same state, with versions that were kept since. */
    void renew(ShardCut cut) {
        enter();
        try {
            finalCut = cut;
            services.keep(cut);
        } finally {
            unlockQuietly();
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
                    .progress(
                            p,
                            services.history().step(),
                            services.loss().value(),
                            services.clock().instant());
        } finally {
            lock.unlock();
        }
    }

    /** A worker leaves the rounds until it begins another minibatch. */
    void leave(String worker) {
        try {
            shards.leave(worker);
        } catch (StaleTermException replaced) {
            // A later master has members of its own.
            retire();
        }
        // Called last: a worker that begins a minibatch between the two calls joins with its next minibatch.
        rounds.left(worker);
    }

    /** Notes that a worker begins or resumes a minibatch, and joins it to the rounds. */
    void begins(String worker) {
        if (rounds.begins(worker, services.nanos())) {
            shards.join(worker);
        }
    }

    StragglerDetector rounds() {
        return rounds;
    }

    /**
     * One turn of the master's work: takes back what was held too long, takes late workers out of the rounds, compares shards
     * that came back, writes decisions, ends the training when all of it is done, then waits for the next change; at most a tenth
     * of a second.
     */
    void watch(ServerWaits waits) throws InterruptedException {
        long seen = look(waits);
        if (finished()) {
            return;
        }
        enter();
        try {
            awaitChangeSince(seen);
        } finally {
            unlockQuietly();
        }
    }

    /** One turn of the master's work without the wait; returns what had changed before it. */
    long look(ServerWaits waits) throws InterruptedException {
        long seen;
        List<String> silent;
        enter();
        try {
            seen = changes();
            silent = expire();
        } finally {
            unlockQuietly();
        }
        silent.forEach(this::leave);
        for (String late : rounds.late(services.nanos())) {
            shards.leave(late);
            rounds.takenOut(late);
        }
        reopen();
        decisions().turn(failures());
        endOfTraining(waits);
        return seen;
    }

    /** Makes the parameters the result when all is trained, which needs every shard; on the master's thread. */
    private void endOfTraining(ServerWaits waits) throws InterruptedException {
        if (!awaitsEnd()) {
            return;
        }
        long before = services.lives().changes();
        ShardCut cut = waits.until(() -> {
            // A checkpoint may have held gradients of a round that was never filled.
            shards.flush();
            return shards.cut();
        });
        if (isWhole(cut, before) && decisions().askForLast(cut, waits)) {
            end(cut, before);
        }
    }

    /** Returns whether a cut, taken of these lives or later ones, has all that was to be trained. */
    private boolean isWhole(ShardCut cut, long lives) {
        Optional<String> bad = StepResultCheck.firstBad(training.model().layout(), cut);
        enter();
        try {
            if (services.lives().changes() != lives || !ledger.trainingComplete()) {
                return false;
            }
            long pushes = ledger.progress().minibatchesTotal();
            if (bad.isPresent()) {
                breakDown("model \"" + training.modelName() + "\": version " + cut.version() + ": " + bad.get()
                        + "; its gradients were finite, so a smaller learning rate may help");
                return false;
            }
            boolean whole = cut.shards().stream().allMatch(shard -> shard.appliedCount() == pushes);
            if (!whole) {
                // Something is missing, whatever the lives say, or a shard has what a stop left out: all are compared
                // once more.
                Arrays.fill(compared, 0);
                ledger.recovery().reinstate(HeldPushes.of(cut, ledger.spec().pushIds())::byAny);
            }
            return whole;
        } finally {
            unlockQuietly();
        }
    }

    private void end(ShardCut cut, long lives) {
        boolean news = false;
        enter();
        try {
            if (services.lives().changes() == lives && ledger.trainingComplete()) {
                news = true;
                finalCut = cut;
                services.keep(cut);
                services.recordEnd(ledger.completedPushes(), cut);
            }
        } finally {
            if (news) {
                unlock();
            } else {
                unlockQuietly();
            }
        }
    }

    /** Returns whether all is trained and the result is not there yet. */
    private boolean awaitsEnd() {
        enter();
        try {
            return finalCut == null && !isBroken() && ledger.trainingComplete();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A metric or a dataset that throws on a record of the validation data would throw at the next worker, too, and each
     * try costs one; what cannot be read may be readable there.
     */
    @Override
    void failed(Task task, TaskFailure failure) {
        boolean again = failure.kind() == FailureKind.UNREADABLE;
        if (task.type() == TaskType.EVALUATION && !again) {
            evaluationFailed = true;
            breakDown("the evaluation of version " + task.modelVersion() + " failed at " + task.range() + ": "
                    + failure.reason());
        }
    }

    /** What a training that fails has come to, unless that is the model's own doing; empty before the first step. */
    Optional<ShardCut> remains() throws InterruptedException {
        enter();
        try {
            boolean modelsOwn = isBroken() && !evaluationFailed;
            if (finalCut != null || modelsOwn) {
                return Optional.ofNullable(finalCut);
            }
        } finally {
            lock.unlock();
        }
        if (services.step() == 0) {
            return Optional.empty();
        }
        Optional<ShardCut> cut = cutIfWhole();
        return cut.filter(whole ->
                StepResultCheck.firstBad(training.model().layout(), whole).isEmpty());
    }

    @Override
    void journaled(LedgerEvent event) {
        if (event instanceof LedgerEvent.EpochStarted started) {
            services.events().emit(new TrainingEvent.EpochStarted(started.epoch(), ledger.tasksOf(started.epoch())));
        } else if (event instanceof LedgerEvent.Stopped stopped
                && !decisions().now().stopTold()) {
            services.events().emit(new TrainingEvent.Stopped(services.step(), stopped.reason()));
        }
    }
}
