package dev.edl.runtime.engine.decisions;

import dev.edl.runtime.engine.decisions.CallbackEvent.Evaluated;
import dev.edl.runtime.metrics.Metric;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * What the masters of a training have decided so far: all that a new master cannot know from the shards' parameters and applied
 * pushes. Immutable; a decision is a new value, which {@link DecisionLog} writes before it takes effect.
 *
 * @param stop why the training ends before its time, if it does
 * @param stopTold whether listeners have heard of the stop
 * @param asked the versions that an evaluation was asked for
 * @param open evaluations that are under way, in the order in which they were asked for
 * @param newest the newest evaluation that is complete
 * @param best the version that is to be the result in the place of the last one
 * @param calls what callbacks are still to be told of, in order
 * @param callbacks what callbacks remember, by place and class
 * @param failures how often ranges of records have failed
 * @param announced the checkpoint that callbacks were last told of, or are to be; empty for none
 */
public record Decisions(
        Optional<String> stop,
        boolean stopTold,
        RequestedVersions asked,
        List<OpenEvaluation> open,
        Optional<Evaluated> newest,
        Optional<BestVersion> best,
        List<PendingCallback> calls,
        Map<String, CallbackState> callbacks,
        List<TaskFailures> failures,
        String announced) {
    /** Numbers of parts that came early, of all evaluations; ten bytes each at most. */
    private static final int EARLY_NUMBERS = 2400;

    /** Before the first decision. */
    public static final Decisions NONE = new Decisions(
            Optional.empty(),
            false,
            RequestedVersions.NONE,
            List.of(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Map.of(),
            List.of(),
            "");

    /** Copies the collections. */
    public Decisions {
        open = List.copyOf(open);
        calls = List.copyOf(calls);
        callbacks = Map.copyOf(callbacks);
        failures = List.copyOf(failures);
    }

    /** Ends the training before its time; the first reason stays. */
    public Decisions stop(String reason) {
        return stop.isPresent()
                ? this
                : new Decisions(
                        Optional.of(reason), false, asked, open, newest, best, calls, callbacks, failures, announced);
    }

    /** Listeners have heard of the stop. */
    public Decisions toldStop() {
        return new Decisions(stop, true, asked, open, newest, best, calls, callbacks, failures, announced);
    }

    /** Asks for the evaluation of a version, which must not be open. */
    public Decisions ask(long version, long lives, List<Metric> metrics) {
        List<OpenEvaluation> more = new ArrayList<>(open);
        more.add(OpenEvaluation.begun(version, lives, metrics));
        return with(asked.with(version), more, newest, calls);
    }

    /** Returns whether the evaluation of a version was asked for and not lost. */
    public boolean wasAsked(long version) {
        return asked.contains(version);
    }

    /** Returns the evaluation of a version, if it is under way. */
    public Optional<OpenEvaluation> evaluation(long version) {
        return open.stream().filter(each -> each.version() == version).findFirst();
    }

    /** Returns how many versions are pinned for evaluations that are open or not told yet. */
    public int evaluated() {
        return open.size() + untold(false).size();
    }

    /**
     * Evaluations that callbacks are still to be told of.
     *
     * @param fresh whether only those of which no callback was told
     */
    public List<Evaluated> untold(boolean fresh) {
        return calls.stream()
                .filter(call -> !fresh || (call.next() == 0 && !call.begun()))
                .map(PendingCallback::what)
                .filter(Evaluated.class::isInstance)
                .map(Evaluated.class::cast)
                .toList();
    }

    /** Returns the versions that are evaluated, or whose figures are untold, and that lives before these had. */
    public LongStream lost(long lives) {
        return LongStream.concat(
                open.stream().filter(each -> each.lives() != lives).mapToLong(OpenEvaluation::version),
                untold(false).stream().filter(each -> each.lives() != lives).mapToLong(Evaluated::version));
    }

    /** Adds what a worker found in a task of an evaluation. */
    public Decisions measured(Task task, MetricTotals totals, List<Metric> metrics) {
        return withOpen(open.stream()
                .map(each -> each.version() == task.modelVersion() ? each.with(task, totals, metrics) : each)
                .toList());
    }

    /**
     * Returns whether there is room for what a task of an evaluation found. What comes next in the order of the data
     * always has; what comes far too early has to be measured again.
     */
    public boolean hasRoomFor(Task task, MetricTotals totals) {
        int numbers = open.stream().mapToInt(OpenEvaluation::earlyNumbers).sum() + totals.size();
        return numbers <= EARLY_NUMBERS
                || evaluation(task.modelVersion())
                        .map(each -> task.firstMinibatch() <= each.merged())
                        .orElse(true);
    }

    /** Returns the figures of an evaluation whose parts are all known; empty when it is not open. */
    public Optional<Evaluated> result(long version, List<Metric> metrics) {
        return evaluation(version).map(each -> each.result(metrics));
    }

    /** Ends an evaluation, whose figures are to be told. */
    public Decisions close(Evaluated result) {
        if (evaluation(result.version()).isEmpty()) {
            return this;
        }
        boolean late = newest.isPresent()
                && newest.get().lives() == result.lives()
                && newest.get().version() > result.version();
        return with(asked, without(result.version()), late ? newest : Optional.of(result), calls)
                .call(result);
    }

    /** Forgets the evaluation of a version whose parameters are lost: it can be asked for again, and callbacks hear nothing. */
    public Decisions lose(long version) {
        return with(
                asked.without(version),
                without(version),
                newest.filter(result -> result.version() != version),
                filtered(call -> !(call.what() instanceof Evaluated result && result.version() == version)));
    }

    private List<OpenEvaluation> without(long version) {
        return open.stream().filter(each -> each.version() != version).toList();
    }

    private List<PendingCallback> filtered(Predicate<PendingCallback> kept) {
        return calls.stream().filter(kept).toList();
    }

    /** Callbacks are to be told of something. */
    public Decisions call(CallbackEvent event) {
        List<PendingCallback> more = new ArrayList<>(calls);
        more.add(new PendingCallback(event, 0, false));
        return with(asked, open, newest, more);
    }

    /**
     * A checkpoint was written, which is to be told unless it was.
     *
     * @param last whether the training ends with it, which is to be told as well
     */
    public Decisions announce(CallbackEvent.Checkpointed written, boolean last) {
        if (announced.equals(written.directory())) {
            return this;
        }
        Decisions told = new Decisions(
                        stop, stopTold, asked, open, newest, best, calls, callbacks, failures, written.directory())
                .call(written);
        return last ? told.end() : told;
    }

    /** Returns whether a call of the end is pending. */
    public boolean ended() {
        return calls.stream().anyMatch(call -> call.what() instanceof CallbackEvent.Ended);
    }

    /** Returns a copy with a pending call of the end. */
    public Decisions end() {
        return ended() ? this : call(new CallbackEvent.Ended());
    }

    /** Changes the first call. */
    public Decisions first(UnaryOperator<PendingCallback> change) {
        List<PendingCallback> changed = new ArrayList<>(calls);
        changed.set(0, change.apply(changed.get(0)));
        return with(asked, open, newest, changed);
    }

    /** There is no callback to be told of something. */
    public Decisions told(CallbackEvent event) {
        return with(asked, open, newest, filtered(call -> !call.what().equals(event)));
    }

    /** Every callback was told of the first call. */
    public Decisions told() {
        return with(asked, open, newest, calls.subList(1, calls.size()));
    }

    /** A callback remembers this. */
    public Decisions remember(String callback, CallbackState state) {
        Map<String, CallbackState> all = new TreeMap<>(callbacks);
        all.put(callback, state);
        return new Decisions(stop, stopTold, asked, open, newest, best, calls, all, failures, announced);
    }

    /** A version is to be the result; empty for the last one. */
    public Decisions best(Optional<BestVersion> version) {
        return new Decisions(stop, stopTold, asked, open, newest, version, calls, callbacks, failures, announced);
    }

    /**
     * Returns the figures of the result.
     *
     * @param last the last version
     * @param isBest whether the result is the best version, and not the last one
     */
    public Map<String, Double> figures(long last, boolean isBest) {
        return isBest
                ? best.map(BestVersion::metrics).orElse(Map.of())
                : newest.filter(result -> result.version() == last)
                        .map(Evaluated::metrics)
                        .orElse(Map.of());
    }

    /** Ranges have failed as often as this. */
    public Decisions failures(List<TaskFailures> counts) {
        return new Decisions(stop, stopTold, asked, open, newest, best, calls, callbacks, counts, announced);
    }

    /**
     * Returns what a run knows that goes on from a checkpoint: of the versions that the checkpoint has, and not of
     * evaluations whose pinned versions ended with the run before.
     */
    public Decisions resumed(long version) {
        RequestedVersions before = asked.upTo(version);
        for (OpenEvaluation each : open) {
            before = before.without(each.version());
        }
        for (PendingCallback call : calls) {
            before = call.what() instanceof Evaluated result ? before.without(result.version()) : before;
        }
        return new Decisions(
                Optional.empty(),
                false,
                before,
                List.of(),
                Optional.empty(),
                best,
                List.of(),
                callbacks,
                List.of(),
                "");
    }

    private Decisions withOpen(List<OpenEvaluation> evaluations) {
        return with(asked, evaluations, newest, calls);
    }

    private Decisions with(
            RequestedVersions newRequested,
            List<OpenEvaluation> newOpen,
            Optional<Evaluated> newNewest,
            List<PendingCallback> newCalls) {
        return new Decisions(
                stop, stopTold, newRequested, newOpen, newNewest, best, newCalls, callbacks, failures, announced);
    }
}
