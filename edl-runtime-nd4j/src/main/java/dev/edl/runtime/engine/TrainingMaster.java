package dev.edl.runtime.engine;

import dev.edl.runtime.Progress;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.decisions.Decisions;
import dev.edl.runtime.engine.internal.HeldPushes;
import dev.edl.runtime.engine.internal.StragglerDetector;
import dev.edl.runtime.engine.ports.FailureKind;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.task.CompletionOutcome;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerProgress;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Master of a training: the task ledger behind a lock, and the training's evaluations. A task counts as complete only
 * when every parameter shard confirms its pushes, so work that a shard loses with its state is done again.
 */
final class TrainingMaster extends DecisionDrivenMaster {
    private static final int FIRST_LIFE = 1;
    /** Less than the number of any life. */
    private static final int NEVER = -1;

    private final SharedTrainingState services;
    private final Training training;
    private final ShardsControl shards;
    private final StragglerDetector rounds;
    /** Whether each complete training task, not only the last, wakes the master: for checkpoints or callbacks. */
    private final boolean attentive;

    /** By shard index: the shard's life when it was last compared with the ledger. Master's thread only. */
    private final int[] compared;

    private @Nullable ShardCut finalCut;
    private boolean evaluationFailed;

    /** Creates a master over a ledger that adds its events to {@code seen}; it has made no decisions. */
    TrainingMaster(SharedTrainingState services, ShardsControl shards, TaskLedger ledger, List<LedgerEvent> seen) {
        super(ledger, seen, services.events(), services::nanos, "the master to write the result");
        this.services = services;
        this.training = services.training();
        this.shards = shards;
        this.rounds = new StragglerDetector(training.roundTimeout());
        this.compared = new int[shards.count()];
        Arrays.fill(compared, FIRST_LIFE);
        this.attentive = training.checkpointSteps() > 0 || !training.callbacks().isEmpty();
    }

    /** Starts making decisions, before workers see this master. */
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
     * Completes an evaluation task.
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
            // The master's next iteration writes it.
            Thread.currentThread().interrupt();
        }
    }

    /** Completes a training task if the shards, whose lives it compares outside of the lock, hold its pushes. */
    void trained(Task task, long lives) throws InterruptedException {
        boolean settled = false;
        while (!settled) {
            long changes = services.lives().changes();
            settled = confirmed(task, shards.holds(task.pushId(0), task.minibatches(), lives), changes);
        }
    }

    /** Completes or takes back a training task; false if a shard's life began after {@code changes} was read. */
    private boolean confirmed(Task task, boolean held, long changes) {
        enter();
        try {
            if (services.lives().changes() != changes) {
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
            CompletionOutcome completion = ledger.complete(task, now());
            if (!completion.accepted()) {
                return;
            }
            if (task.type() == TaskType.TRAINING) {
                services.recordCompleted(task);
            }
            if (sums != null) {
                // Inside the lock, so that the last part does not overtake another one.
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
     * Marks as done the work whose pushes the shards hold, for the first master of a process. Call it before workers
     * see this master. Asks the present shards, and compares an absent one when it returns. Waits for
     * absent shards, without the lock, only if the present ones hold no push.
     *
     * @param lost whether a master of another process led before
     * @param anew whether the training restarts if no shard holds a push
     */
    void resume(boolean lost, boolean anew, AbsentServerRetry retry) throws InterruptedException {
        boolean done = false;
        while (!done) {
            long lives = services.lives().changes();
            Map<Integer, ShardPushes> present = retry.until(shards::pushes);
            HeldPushes held = new HeldPushes(present.values());
            enter();
            try {
                done = services.lives().changes() == lives;
                for (int i = 0; done && i < compared.length; i++) {
                    compared[i] = present.containsKey(i) ? services.lives().of(i) : NEVER;
                }
                if (done && anew && held.isEmpty()) {
                    beginAnew();
                } else if (done) {
                    ledger.resume(held::byAll, held::byAny);
                    if (lost) {
                        Decisions before = decisions().now();
                        long from = services.history().resumedAt();
                        ledger.recovery().rebuild(before.failures(), before.evaluatedAfter(from));
                    }
                }
            } finally {
                unlock();
            }
        }
    }

    /**
     * Requeues completed work that restarted shards have lost, and reads the version, which they may have reverted.
     * Compares each shard separately, because the others kept their state. An absent shard is compared later.
     */
    void reopen() {
        for (int i = 0; i < compared.length; i++) {
            int life = services.lives().of(i);
            if (life > compared[i] && reopen(i)) {
                compared[i] = life;
                services.step();
            }
        }
    }

    /** Requeues completed work that one shard has lost; returns false if the shard is absent. */
    private boolean reopen(int shard) {
        int epochs = epochsBegun();
        Optional<ShardPushes> held = shards.pushes(shard);
        if (held.isEmpty()) {
            return false;
        }
        enter();
        try {
            int reopened = 0;
            // An epoch that has begun since began with this shard present.
            for (int epoch = 0; epoch < epochs && finalCut == null; epoch++) {
                reopened += ledger.reopen(epoch, held.get().applied(epoch)::get);
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

    /** Requests the evaluation of a version that every shard now holds, a multiple of the evaluation interval. */
    void versionReached(long version) {
        lock.lock();
        try {
            if (finalCut != null || isRetired()) {
                // Called by the worker that created the version, which need not know that this master has left.
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

    /** Returns copies of all shards; empty if one is absent. Does not wait. */
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

    /** Returns whether all work is done, evaluations included. */
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

    /** Returns the shards' state after the last training task; empty while training tasks are open. */
    Optional<ShardCut> finalCut() {
        enter();
        try {
            return Optional.ofNullable(finalCut);
        } finally {
            lock.unlock();
        }
    }

    /** Replaces the final cut with one of the same parameters, which also has the best version. */
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
            var history = services.history();
            return history.progress(
                    ledger.progress(), services.loss().value(), services.clock().instant());
        } finally {
            lock.unlock();
        }
    }

    /** Removes a worker from the rounds until it begins another minibatch. */
    void leave(String worker) {
        try {
            shards.leave(worker);
        } catch (StaleTermException replaced) {
            // A later master has its own members.
            retire();
        }
        // Called last: a worker that begins a minibatch between the two calls joins with its next minibatch.
        rounds.left(worker);
    }

    /** Records that a worker begins or resumes a minibatch, and joins it to the rounds. */
    void begins(String worker) {
        if (rounds.begins(worker, services.nanos())) {
            shards.join(worker);
        }
    }

    StragglerDetector rounds() {
        return rounds;
    }

    /**
     * Runs one iteration of the master's work, then waits for the next change, at most a tenth of a second. An
     * iteration takes back expired tasks, removes late workers from the rounds, compares restarted shards with the
     * ledger, writes decisions, and ends a training that is done.
     */
    void watch(AbsentServerRetry retry) throws InterruptedException {
        long seen = runIteration(retry);
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

    /** Runs one iteration of the master's work without the wait; returns the count of changes before the iteration. */
    long runIteration(AbsentServerRetry retry) throws InterruptedException {
        long seen;
        List<String> silent;
        enter();
        try {
            seen = changes();
            silent = services.missingShard() >= 0 ? renewLeases() : expire();
        } finally {
            unlockQuietly();
        }
        silent.forEach(services.absences()::expired);
        silent.forEach(this::leave);
        for (String late : rounds.late(services.nanos())) {
            shards.leave(late);
            rounds.takenOut(late);
        }
        reopen();
        decisions().writeDue(failures());
        endOfTraining(retry);
        return seen;
    }

    /** Once all tasks are trained, copies the final parameters from the shards. All shards must be present. */
    private void endOfTraining(AbsentServerRetry retry) throws InterruptedException {
        if (!awaitsEnd()) {
            return;
        }
        long before = services.lives().changes();
        ShardCut cut = retry.until(() -> {
            // A checkpoint may have held gradients of a round that was never filled.
            shards.flush();
            return shards.cut();
        });
        if (isWhole(cut, before) && decisions().askForLast(cut, retry)) {
            end(cut, before);
        }
    }

    /** Returns whether a cut has all pushes; if not, requeues missing work. A NaN in the cut fails the training. */
    private boolean isWhole(ShardCut cut, long lives) {
        Optional<String> bad = cut.firstBad(training.model().layout());
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
                // A push is missing, or a shard has one that a stop left out: compare all shards again, also
                // those with an unchanged life.
                Arrays.fill(compared, NEVER);
                ledger.recovery().reinstate(HeldPushes.of(cut.shards())::byAny);
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

    /** Returns whether all training tasks are complete but {@link #finalCut()} is still empty. */
    private boolean awaitsEnd() {
        enter();
        try {
            return finalCut == null && !isBroken() && ledger.trainingComplete();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Fails the training if a metric or the dataset throws on a validation record: it would throw at every worker, and
     * each retry costs a worker. Unreadable records are retried, because another worker may read them.
     */
    @Override
    void failed(Task task, TaskFailure failure) {
        if (task.type() == TaskType.EVALUATION && failure.kind() != FailureKind.UNREADABLE) {
            evaluationFailed = true;
            breakDown("the evaluation of version " + task.modelVersion() + " failed at " + task.range() + ": "
                    + failure.reason());
        }
    }

    /** Returns the state of a failing training, unless the model caused the failure; empty before the first step. */
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
        return cut.filter(whole -> whole.firstBad(training.model().layout()).isEmpty());
    }

    @Override
    void happened(LedgerEvent event) {
        if (event instanceof LedgerEvent.EpochStarted started) {
            services.events().emit(new TrainingEvent.EpochStarted(started.epoch(), ledger.tasksOf(started.epoch())));
        } else if (event instanceof LedgerEvent.Stopped stopped
                && !decisions().now().stopAnnounced()) {
            services.events().emit(new TrainingEvent.Stopped(services.step(), stopped.reason()));
        }
    }
}
