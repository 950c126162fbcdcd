package dev.edl.runtime.engine;

import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.decisions.BestVersion;
import dev.edl.runtime.engine.decisions.CallbackEvent;
import dev.edl.runtime.engine.decisions.CallbackEvent.Evaluated;
import dev.edl.runtime.engine.decisions.CallbackState;
import dev.edl.runtime.engine.decisions.DecisionLog;
import dev.edl.runtime.engine.decisions.DecisionLog.Effect;
import dev.edl.runtime.engine.decisions.Decisions;
import dev.edl.runtime.engine.decisions.DecisionsTooLargeException;
import dev.edl.runtime.engine.decisions.MetricTotals;
import dev.edl.runtime.engine.decisions.PendingCallback;
import dev.edl.runtime.engine.internal.PinnedModels;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.task.RangeFailureCount;
import dev.edl.runtime.task.Task;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decisions of one master: stop, evaluations, best version, callback calls. Before a decision takes effect, every shard
 * has stored it and pinned its versions. Call no method with the ledger's lock held.
 *
 * <p>The master's thread makes the decisions, with two exceptions. The worker that creates a version requests its
 * evaluation, because the version is pinned only briefly. A worker reports each part of an evaluation that it measured.
 * Neither waits for an absent shard; the master's next iteration writes what they could not.
 */
final class TrainingDecisions {
    /** Maximum number of open evaluations, not counting the evaluation of the last version. */
    private static final int EVALUATIONS = 4;

    /** Maximum number of pinned versions: the open ones, and as many whose callbacks are pending. */
    private static final int PINS = 2 * EVALUATIONS;

    private static final long NONE = -1;

    private final Training training;
    private final SharedTrainingState services;
    private final ShardsControl shards;
    private final List<Metric> metrics;
    private final TrainingMaster master;
    private final DecisionLog log;
    // Models of open or unreported evaluations. Its lock is held while a version is requested or given up, so that no
    // thread sees the decision without the model.
    private final PinnedModels models;

    /** Evaluation results that listeners may not have received; null until earlier evaluations are resumed. */
    private @Nullable List<Evaluated> news;

    private boolean arrived;
    private boolean tidyBest;
    private long lives;
    /** Version of a checkpoint that an earlier master wrote and did not announce. */
    private long found = NONE;

    TrainingDecisions(SharedTrainingState services, ShardsControl shards, TrainingMaster master, Decisions before) {
        this.training = services.training();
        this.services = services;
        this.shards = shards;
        this.metrics = training.metrics();
        this.master = master;
        this.models = new PinnedModels(shards);
        this.log = new DecisionLog(shards, before);
        this.lives = shards.lives();
    }

    Decisions now() {
        return log.now();
    }

    /** Returns the newest record of decisions that every shard has. */
    DecisionRecord written() {
        return log.written();
    }

    /** Returns whether every decision has taken effect. */
    boolean settled() {
        return log.settled();
    }

    private void write(AbsentServerRetry retry) throws InterruptedException {
        retry.until(() -> {
            log.write();
            return true;
        });
    }

    /** Writes pending decisions to the shards; if one is absent, leaves this to the master's next iteration. */
    void writeIfWhole() throws InterruptedException {
        if (services.missingShard() >= 0) {
            return;
        }
        try {
            log.write();
            models.drop();
        } catch (ShardTimeoutException away) {
            // Nothing has taken effect, and the log keeps what is due.
            master.wake();
        }
    }

    // Taking over.

    /**
     * Takes over from earlier masters before workers see this one: applies their recorded decisions to the ledger. Does
     * not wait for absent shards. The takeover completes in the master's first iteration in which all shards are
     * present. Until then, no worker gets an evaluation task.
     */
    void takeOver() throws InterruptedException {
        Decisions before = log.now();
        Optional<String> stop = before.stop();
        if (stop.isPresent()) {
            boolean known = !master.applyStop(stop.get());
            if (known && !before.stopAnnounced()) {
                services.events().emit(new TrainingEvent.Stopped(services.step(), stop.get()));
            }
            log.propose(Decisions::markStopAnnounced, Effect.NONE);
        }
        announceNewest();
        writeDue(before.failures());
        if (news == null) {
            master.matchEvaluations(Decisions.NONE);
        }
    }

    /** Resumes the evaluations of earlier masters. Gives up those whose version some shard no longer has. */
    private void resumeEvaluations() throws InterruptedException {
        for (long version : log.now().lost(ShardLife.UNKNOWN_LIVES).toArray()) {
            Optional<ModelSnapshot> model = models.hold(version);
            if (model.isPresent()) {
                models.need(version, model.get());
            } else {
                lose(version);
            }
        }
        // A result's event may be lost with the previous master; no callback has begun to receive it.
        news = log.now().pendingEvaluations(true);
        master.matchEvaluations(log.now());
    }

    /** Completes the takeover once all shards are present: emits pending results, requests pinned versions. */
    private void arrive() throws InterruptedException {
        if (training.evaluationSteps() > 0) {
            shards.pinEvery(training.evaluationSteps(), PINS, master::versionReached);
            for (long version : shards.pins()) {
                if (!log.now().wasAsked(version)) {
                    reached(version);
                }
            }
        }
        Objects.requireNonNull(news).forEach(this::tell);
        arrived = true;
    }

    /** Announces the newest checkpoint, in case its writer ended only after an earlier master had. */
    private void announceNewest() {
        long version = services.checkpointed();
        services.store()
                .newestCheckpoint()
                .filter(path -> checkpointed(version, path, false))
                .ifPresent(path -> found = version);
    }

    /** Returns whether the cut's version, the training's last one, already has a checkpoint by an earlier master. */
    boolean hasFinalCheckpoint(ShardCut cut) {
        return log.now().ended() || found == cut.version();
    }

    // Evaluations.

    /** Requests the evaluation of a version that every shard now holds; does not wait for an absent shard. */
    void reached(long version) throws InterruptedException {
        if (training.validation().isEmpty() || services.missingShard() >= 0 || !mayAsk(log.now(), version)) {
            return;
        }
        try {
            long since = shards.lives();
            Optional<ModelSnapshot> model = models.hold(version);
            if (model.isEmpty()) {
                return;
            }
            synchronized (models) {
                boolean asked = log.propose(
                        decisions -> mayAsk(decisions, version) ? decisions.ask(version, since, metrics) : decisions,
                        () -> queue(version, since));
                if (asked) {
                    models.need(version, model.get());
                } else {
                    models.release(version);
                }
            }
            writeIfWhole();
        } catch (ShardTimeoutException | StaleTermException elsewhere) {
            master.wake();
        } catch (DecisionsTooLargeException full) {
            master.broken(ExceptionText.of(full));
        }
    }

    /** Queues an evaluation, unless its version was lost before every shard had the decision. */
    private void queue(long version, long since) {
        if (log.now().evaluation(version).filter(open -> open.lives() == since).isPresent()) {
            master.queueEvaluation(version);
        }
    }

    private static boolean mayAsk(Decisions decisions, long version) {
        return !decisions.wasAsked(version) && decisions.open().size() < EVALUATIONS && decisions.evaluated() < PINS;
    }

    /** Requests the last version's evaluation if needed; returns false while an older one must be given up first. */
    boolean askForLast(ShardCut cut, AbsentServerRetry retry) throws InterruptedException {
        if (!arrived) {
            // The next iteration resumes the evaluations of earlier masters.
            return false;
        }
        long version = cut.version();
        long since = shards.lives();
        Decisions before = log.now();
        if (training.validation().isEmpty()
                || before.evaluation(version).map(open -> open.lives() == since).orElse(false)
                || before.newest()
                        .map(last -> last.version() == version && last.lives() == since)
                        .orElse(false)) {
            return true;
        }
        if (before.evaluation(version).isPresent()
                || before.pendingEvaluations(false).stream().anyMatch(result -> result.version() == version)) {
            // A shard has lost these parameters since; the next iteration gives the evaluation up.
            return false;
        }
        models.need(version, cut.model());
        retry.until(() -> {
            shards.pinNow(version);
            return true;
        });
        log.propose(decisions -> decisions.ask(version, since, metrics), () -> queue(version, since));
        write(retry);
        return shards.lives() == since;
    }

    /**
     * Returns the model of an open or unreported evaluation.
     *
     * @throws MasterGoneException if there is none, because a shard has lost it: the worker asks for work again
     */
    ModelSnapshot model(long version) {
        return models.model(version).orElseThrow(MasterGoneException::new);
    }

    /** Returns whether an evaluation task's results fit into the record; if not, they must be measured again. */
    boolean hasRoomFor(Task task, double[][] sums) {
        return log.now().hasRoomFor(task, MetricTotals.of(sums));
    }

    /**
     * Adds the results of an evaluation task. May be called with the ledger's lock, so that the last part stays last.
     *
     * @param last whether the ledger has all parts
     */
    void measured(Task task, double[][] sums, boolean last) {
        long version = task.modelVersion();
        log.propose(decisions -> decisions.measured(task, MetricTotals.of(sums), metrics), Effect.NONE);
        if (last) {
            complete(version);
        }
    }

    /** Closes the evaluation of a version; the results of all its parts are known. */
    void complete(long version) {
        log.now().result(version, metrics).ifPresent(this::close);
    }

    private void close(Evaluated result) {
        log.propose(decisions -> decisions.close(result), () -> {
            tell(result);
            if (master.callbacks().any()) {
                master.wake();
            } else {
                // Its pin is free for another version at once.
                log.propose(decisions -> decisions.removePendingCall(result), Effect.NONE);
                forget(result);
            }
        });
    }

    private void tell(Evaluated result) {
        services.history().evaluated(result.version(), result.metrics());
        services.events().emit(new TrainingEvent.Evaluation(result.version(), result.metrics()));
    }

    /** Gives up the evaluation of a version whose parameters are lost, reported or not. */
    private void lose(long version) {
        synchronized (models) {
            // Before the version can be requested again, which needs its own model and only parts of that model.
            models.forget(version);
            master.loseEvaluation(version);
            log.propose(
                    decisions -> decisions.lose(version),
                    () -> services.events().emit(new TrainingEvent.EvaluationLost(version)));
        }
    }

    // The master's iterations.

    /** Writes due decisions, gives up evaluations of lost versions, drops pins. Waits for no absent shard. */
    void writeDue(List<RangeFailureCount> failures) throws InterruptedException {
        if (!failures.equals(log.now().failures())) {
            log.propose(decisions -> decisions.failures(failures), Effect.NONE);
        }
        long present = shards.lives();
        if (services.missingShard() >= 0) {
            return;
        }
        try {
            if (present != lives || !arrived) {
                // The record was lost with the shard's last life.
                log.again();
                loseOf(present);
                if (news == null) {
                    resumeEvaluations();
                }
                checkBest();
                lives = present;
            }
            log.write();
            if (!arrived) {
                arrive();
            }
            if (tidyBest) {
                models.dropOthers(log.now());
                tidyBest = false;
            }
            models.drop();
        } catch (ShardTimeoutException away) {
            // The next iteration retries.
        }
    }

    private void loseOf(long present) {
        // This master itself has the parameters of the final version.
        long last = master.finalCut().map(ShardCut::version).orElse(NONE);
        log.now().lost(present).filter(version -> version != last).forEach(this::lose);
    }

    /** Clears the best version if a shard has lost it. */
    private void checkBest() throws InterruptedException {
        Optional<BestVersion> best = log.now().best();
        if (best.isPresent() && !shards.keep(best.get().version())) {
            long version = best.get().version();
            log.propose(
                    decisions -> decisions.best(Optional.empty()),
                    () -> services.events().emit(new TrainingEvent.BestVersionLost(version)));
        }
        tidyBest = true;
    }

    // Callbacks.

    /** Returns the next callback call, once it is persisted; null if none is due, or the takeover is incomplete. */
    @Nullable
    PendingCallback nextCall(AbsentServerRetry retry) throws InterruptedException {
        write(retry);
        List<PendingCallback> calls = log.now().calls();
        return !arrived || calls.isEmpty() ? null : calls.get(0);
    }

    /** Removes all pending callback calls but that of the end, for a training without callbacks. */
    void skipCalls() {
        List<PendingCallback> calls = log.now().calls();
        if (calls.isEmpty() || !log.settled()) {
            return;
        }
        for (PendingCallback call : calls) {
            if (!(call.what() instanceof CallbackEvent.Ended)) {
                log.propose(decisions -> decisions.removePendingCall(call.what()), Effect.NONE);
                forget(call.what());
            }
        }
    }

    /** Releases the version of a reported evaluation, unless its evaluation is open again. */
    private void forget(CallbackEvent event) {
        synchronized (models) {
            if (event instanceof Evaluated result
                    && log.now().evaluation(result.version()).isEmpty()) {
                models.forget(result.version());
            }
        }
    }

    /** Records the decision that a callback is about to receive the first pending event. */
    void begin(int callback, AbsentServerRetry retry) throws InterruptedException {
        decide(made -> made.first(call -> new PendingCallback(call.what(), callback, true)), retry);
    }

    /** Records that a callback received the first pending event, and its new state. */
    void recordDelivery(String callback, String state, boolean last, int next, AbsentServerRetry retry)
            throws InterruptedException {
        PendingCallback told = log.now().calls().get(0);
        // A delivered end is final.
        boolean over = last && !(told.what() instanceof CallbackEvent.Ended);
        long steps = stateOf(callback).steps();
        log.propose(
                decisions -> {
                    Decisions known = decisions.remember(callback, new CallbackState(state, steps));
                    return over
                            ? known.removePendingCall()
                            : known.first(call -> new PendingCallback(call.what(), next, false));
                },
                () -> {
                    if (over) {
                        forget(told.what());
                    }
                });
        write(retry);
    }

    CallbackState stateOf(String callback) {
        return log.now().callbacks().getOrDefault(callback, CallbackState.NONE);
    }

    /** Creates a decision without further effects. */
    void decide(UnaryOperator<Decisions> change, AbsentServerRetry retry) throws InterruptedException {
        log.propose(change, Effect.NONE);
        write(retry);
    }

    /** Records that the result is reported. Waits for no absent server. */
    void finish() throws InterruptedException {
        log.propose(Decisions::finish, Effect.NONE);
        writeIfWhole();
    }

    /**
     * Announces a written checkpoint once.
     *
     * @param last whether the training ends with it, so that no later master writes it again
     * @return false if the checkpoint was announced before
     */
    boolean checkpointed(long version, Path directory, boolean last) {
        String name = String.valueOf(directory.getFileName());
        return log.propose(made -> made.announce(new CallbackEvent.Checkpointed(version, name), last), Effect.NONE);
    }

    /** Stops the training early; returns false if it was stopped before or is complete. */
    boolean stop(String reason, AbsentServerRetry retry) throws InterruptedException {
        if (!master.canStop()) {
            return false;
        }
        boolean[] stopped = {false};
        log.propose(decisions -> decisions.stop(reason), () -> {
            stopped[0] = master.applyStop(reason);
            log.propose(Decisions::markStopAnnounced, Effect.NONE);
        });
        write(retry);
        return stopped[0];
    }

    /** Selects an evaluated version as the training's result; returns false if the shards have lost its parameters. */
    boolean keep(long version, Map<String, Double> figures, AbsentServerRetry retry) throws InterruptedException {
        if (!retry.until(() -> shards.keep(version))) {
            return false;
        }
        log.propose(decisions -> decisions.best(Optional.of(new BestVersion(version, figures))), () -> tidyBest = true);
        write(retry);
        return true;
    }

    /** Returns the model with the shards' current parameters. */
    ModelSnapshot present(AbsentServerRetry retry) throws InterruptedException {
        return retry.until(shards::cut).model();
    }

    /** Returns the model of the best version; empty if none was kept, or it is lost. */
    Optional<ModelSnapshot> bestModel(AbsentServerRetry retry) throws InterruptedException {
        Optional<BestVersion> best = log.now().best();
        return best.isEmpty()
                ? Optional.empty()
                : retry.until(() -> shards.pinned(best.get().version()));
    }
}
