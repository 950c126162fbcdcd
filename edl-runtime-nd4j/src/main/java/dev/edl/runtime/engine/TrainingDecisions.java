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
import dev.edl.runtime.engine.decisions.OpenEvaluation;
import dev.edl.runtime.engine.decisions.PendingCallback;
import dev.edl.runtime.engine.internal.PinnedModels;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.metrics.Metric;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskFailures;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one master decides: stop, evaluations, best version, calls of callbacks. Each decision is on every shard before it takes
 * effect, and the pins of the versions that it is about are held. No method may be called with the ledger's lock held.
 *
 * <p>The master's thread makes the decisions, but for two. The worker that brings a version about asks for its evaluation, because
 * the version is pinned for a moment only. The worker that measures a part reports it. Neither waits for an absent shard: what
 * they could not write the master's thread writes with its next turn.
 */
final class TrainingDecisions {
    /** Evaluations that are under way at most. The last one is not counted. */
    private static final int EVALUATIONS = 4;

    /** Versions that are pinned at most: those, and as many that callbacks are still to be told of. */
    private static final int PINS = 2 * EVALUATIONS;

    private static final long NONE = -1;

    private final Training training;
    private final TrainingServices services;
    private final ShardsControl shards;
    private final List<Metric> metrics;
    private final TrainingMaster master;
    private final DecisionLog log;
    /**
     * The versions of evaluations that are under way or not told yet. Its lock is held while a version is asked for or given up, so
     * that no thread sees the decision without the model.
     */
    private final PinnedModels models;

    /** Results that listeners may not have heard of. */
    private List<Evaluated> news = List.of();

    private boolean arrived;
    private boolean tidyBest;
    private long lives;
    /** The version of a checkpoint that an earlier master wrote and did not announce. */
    private long found = NONE;

    TrainingDecisions(TrainingServices services, ShardsControl shards, TrainingMaster master, Decisions before) {
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

    /** Returns what every shard has of the decisions. */
    DecisionRecord written() {
        return log.written();
    }

    /** Returns whether every decision has taken effect. */
    boolean settled() {
        return log.settled();
    }

    private void write(ServerWaits waits) throws InterruptedException {
        waits.until(() -> {
            log.write();
            return true;
        });
    }

    /** Writes unless a shard is absent; then the master's next turn does. */
    void writeIfWhole() throws InterruptedException {
        if (services.missingShard() >= 0) {
            return;
        }
        try {
            log.write();
            models.drop();
        } catch (ShardTimeoutException away) {
            // Nothing has taken effect, and the log knows what is due.
            master.wake();
        }
    }

    // Taking over.

    /**
     * Takes over what earlier masters have decided: brings the ledger to it, and takes the versions that it needs into this master.
     * Before workers know of this master. Waits for no absent shard: that one has lost its pins, and the rest is done with the first
     * turn that finds all shards.
     */
    void takeOver() throws InterruptedException {
        Decisions before = log.now();
        Optional<String> stop = before.stop();
        if (stop.isPresent()) {
            boolean known = !master.applyStop(stop.get());
            if (known && !before.stopTold()) {
                services.events().emit(new TrainingEvent.Stopped(services.step(), stop.get()));
            }
            log.propose(Decisions::toldStop, Effect.NONE);
        }
        lives = shards.lives();
        for (OpenEvaluation open : before.open()) {
            load(open.version(), open.lives());
        }
        for (Evaluated result : before.untold(false)) {
            load(result.version(), result.lives());
        }
        // News of a result may have died with the master behind its record; callbacks have not begun to hear of it.
        news = before.untold(true).stream()
                .filter(result -> models.needs(result.version()))
                .toList();
        master.matchEvaluations(log.now());
        announceNewest();
        if (services.missingShard() < 0) {
            turn(now().failures());
        }
    }

    /** Takes a pinned version into this master; gives it up unless it is of the shards' present lives and on all of them. */
    private void load(long version, long since) throws InterruptedException {
        if (since == lives && services.missingShard() < 0) {
            try {
                Optional<ModelSnapshot> model = models.hold(version);
                if (model.isPresent()) {
                    models.need(version, model.get());
                    return;
                }
            } catch (ShardTimeoutException away) {
                // It is lost with the shard.
            }
        }
        lose(version);
    }

    /** The part of taking over that needs all shards: tells what may be untold, and asks for what was pinned meanwhile. */
    private void arrive() throws InterruptedException {
        if (training.evaluationSteps() > 0) {
            shards.pinEvery(training.evaluationSteps(), PINS, master::versionReached);
            for (long version : shards.pins()) {
                if (!log.now().wasAsked(version)) {
                    reached(version);
                }
            }
        }
        news.forEach(this::tell);
        arrived = true;
    }

    /** The writer of an earlier master may have ended after its master. */
    private void announceNewest() {
        long version = services.checkpointed();
        services.store()
                .newestCheckpoint()
                .filter(path -> checkpointed(version, path, false))
                .ifPresent(path -> found = version);
    }

    /** Returns whether an earlier master has written the checkpoint of the last version. */
    boolean hasFinalCheckpoint(ShardCut cut) {
        return log.now().ended() || found == cut.version();
    }

    // Evaluations.

    /** Every shard holds a copy of its parameters at this version; does not wait for an absent one. */
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

    /** Hands an evaluation out, unless the version was lost before every shard had the decision: its model is lost with it. */
    private void queue(long version, long since) {
        if (log.now().evaluation(version).filter(open -> open.lives() == since).isPresent()) {
            master.queueEvaluation(version);
        }
    }

    private static boolean mayAsk(Decisions decisions, long version) {
        return !decisions.wasAsked(version) && decisions.open().size() < EVALUATIONS && decisions.evaluated() < PINS;
    }

    /** Sees to it that the last version is evaluated, as it is now; whether it is or was. */
    boolean askForLast(ShardCut cut, ServerWaits waits) throws InterruptedException {
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
                || before.untold(false).stream().anyMatch(result -> result.version() == version)) {
            // Of parameters that a shard has lost since; the next turn gives it up.
            return false;
        }
        models.need(version, cut.model());
        waits.until(() -> {
            shards.pinNow(version);
            return true;
        });
        log.propose(decisions -> decisions.ask(version, since, metrics), () -> queue(version, since));
        write(waits);
        return shards.lives() == since;
    }

    /**
     * Returns the model of an evaluation that is under way or not told yet.
     *
     * @throws MasterGoneException when it is neither, because a shard has lost it: the worker asks for work again
     */
    ModelSnapshot model(long version) {
        return models.model(version).orElseThrow(MasterGoneException::new);
    }

    /** Returns whether there is room for a part of an evaluation; one that comes far too early is measured again. */
    boolean hasRoomFor(Task task, double[][] sums) {
        return log.now().hasRoomFor(task, MetricTotals.of(sums));
    }

    /**
     * A worker has measured a part of a version. May be called with the ledger's lock, which keeps the parts ahead of the last one.
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

    /** All parts of an evaluation are known: it ends. */
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
                log.propose(decisions -> decisions.told(result), Effect.NONE);
                forget(result);
            }
        });
    }

    private void tell(Evaluated result) {
        services.history().evaluated(result.version(), result.metrics());
        services.events().emit(new TrainingEvent.Evaluation(result.version(), result.metrics()));
    }

    /** Gives up the evaluation of a version whose parameters are lost, told or not. */
    private void lose(long version) {
        synchronized (models) {
            // Before the version can be asked for again, which needs a model of its own and parts of that model alone.
            models.forget(version);
            master.loseEvaluation(version);
            log.propose(
                    decisions -> decisions.lose(version),
                    () -> services.events().emit(new TrainingEvent.EvaluationLost(version)));
        }
    }

    // The master's turn.

    /** Writes what is due, gives up what returned shards have lost, drops pins. Waits for no absent shard. */
    void turn(List<TaskFailures> failures) throws InterruptedException {
        if (!failures.equals(log.now().failures())) {
            log.propose(decisions -> decisions.failures(failures), Effect.NONE);
        }
        long present = shards.lives();
        if (services.missingShard() >= 0) {
            return;
        }
        try {
            if (present != lives || !arrived) {
                // The record died with the shard's last life.
                log.again();
                loseOf(present);
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
            // The next turn does the same.
        }
    }

    private void loseOf(long present) {
        // This master itself has the parameters of the version that training ended with.
        long last = master.finalCut().map(ShardCut::version).orElse(NONE);
        log.now().lost(present).filter(version -> version != last).forEach(this::lose);
    }

    /** A best version that a shard has lost is none. */
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

    /** Returns the next call to the callbacks, once it is persisted; null if none is due. */
    @Nullable
    PendingCallback nextCall(ServerWaits waits) throws InterruptedException {
        write(waits);
        List<PendingCallback> calls = log.now().calls();
        return calls.isEmpty() ? null : calls.get(0);
    }

    /** Marks all pending calls as made, but for that of the end: the training has no callbacks. */
    void skipCalls() {
        List<PendingCallback> calls = log.now().calls();
        if (calls.isEmpty() || !log.settled()) {
            return;
        }
        for (PendingCallback call : calls) {
            if (!(call.what() instanceof CallbackEvent.Ended)) {
                log.propose(decisions -> decisions.told(call.what()), Effect.NONE);
                forget(call.what());
            }
        }
    }

    /** Something is told. A version whose figures it was may be lost and asked for again meanwhile. */
    private void forget(CallbackEvent event) {
        synchronized (models) {
            if (event instanceof Evaluated result
                    && log.now().evaluation(result.version()).isEmpty()) {
                models.forget(result.version());
            }
        }
    }

    /** A callback is about to be told of the first call. */
    void begin(int callback, ServerWaits waits) throws InterruptedException {
        log.propose(made -> made.first(call -> new PendingCallback(call.what(), callback, true)), Effect.NONE);
        write(waits);
    }

    /** A callback was told of the first call, and remembers this. */
    void told(String callback, String state, boolean last, int next, ServerWaits waits) throws InterruptedException {
        PendingCallback told = log.now().calls().get(0);
        // That the end was told is known for good.
        boolean over = last && !(told.what() instanceof CallbackEvent.Ended);
        long steps = stateOf(callback).steps();
        log.propose(
                decisions -> {
                    Decisions known = decisions.remember(callback, new CallbackState(state, steps));
                    return over ? known.told() : known.first(call -> new PendingCallback(call.what(), next, false));
                },
                () -> {
                    if (over) {
                        forget(told.what());
                    }
                });
        write(waits);
    }

    CallbackState stateOf(String callback) {
        return log.now().callbacks().getOrDefault(callback, CallbackState.NONE);
    }

    void remember(String callback, CallbackState state, ServerWaits waits) throws InterruptedException {
        log.propose(decisions -> decisions.remember(callback, state), Effect.NONE);
        write(waits);
    }

    /** Adds the callbacks' call of the training's end, unless an earlier master has added it. */
    void ended(ServerWaits waits) throws InterruptedException {
        log.propose(Decisions::end, Effect.NONE);
        write(waits);
    }

    /**
     * A checkpoint was written; told once.
     *
     * @param last whether the training ends with it, so that no later master writes it again
     * @return whether it was not told before
     */
    boolean checkpointed(long version, Path directory, boolean last) {
        String name = String.valueOf(directory.getFileName());
        return log.propose(made -> made.announce(new CallbackEvent.Checkpointed(version, name), last), Effect.NONE);
    }

    /** Ends the training before its time; whether there was anything to leave out. */
    boolean stop(String reason, ServerWaits waits) throws InterruptedException {
        if (!master.canStop()) {
            return false;
        }
        boolean[] stopped = {false};
        log.propose(decisions -> decisions.stop(reason), () -> {
            stopped[0] = master.applyStop(reason);
            log.propose(Decisions::toldStop, Effect.NONE);
        });
        write(waits);
        return stopped[0];
    }

    /** Makes an evaluated version the result; false when its parameters are lost. */
    boolean keep(long version, Map<String, Double> figures, ServerWaits waits) throws InterruptedException {
        if (!waits.until(() -> shards.keep(version))) {
            return false;
        }
        log.propose(decisions -> decisions.best(Optional.of(new BestVersion(version, figures))), () -> tidyBest = true);
        write(waits);
        return true;
    }

    /** Returns the model of the moment. */
    ModelSnapshot present(ServerWaits waits) throws InterruptedException {
        return waits.until(shards::cut).model();
    }

    /** Returns the model of the best version; empty when none was kept, or it is lost. */
    Optional<ModelSnapshot> bestModel(ServerWaits waits) throws InterruptedException {
        Optional<BestVersion> best = log.now().best();
        return best.isEmpty()
                ? Optional.empty()
                : waits.until(() -> shards.pinned(best.get().version()));
    }
}
