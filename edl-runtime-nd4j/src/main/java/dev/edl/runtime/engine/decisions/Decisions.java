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
 * Decisions of a training's masters so far: all state that a new master cannot derive from the shards' parameters and
 * applied pushes. Immutable; a decision creates a new value, which {@link DecisionLog} writes before it takes effect.
 *
 * @param stop reason of an early stop, if any
 * @param stopTold whether listeners have received the stop
 * @param asked the versions for which an evaluation was requested
 * @param open open evaluations, in the order of their requests
 * @param newest the newest complete evaluation
 * @param best the version that becomes the result instead of the last one
 * @param calls pending callback calls, in order
 * @param callbacks states of the callbacks, by index and class
 * @param failures failure counts of ranges of records
 * @param announced the checkpoint of the last callback call, made or pending; empty for none
 */
public record Decisions(
        Optional<String> stop,
        boolean stopTold,
        EvaluationRequests asked,
        List<OpenEvaluation> open,
        Optional<Evaluated> newest,
        Optional<BestVersion> best,
        List<PendingCallback> calls,
        Map<String, CallbackState> callbacks,
        List<TaskFailures> failures,
        String announced) {
    /** Maximum count of numbers in early parts of all evaluations; each takes at most ten bytes. */
    private static final int EARLY_NUMBERS = 2400;

    /** State before the first decision. */
    public static final Decisions NONE = new Decisions(
            Optional.empty(),
            false,
            EvaluationRequests.NONE,
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

    /** Stops the training early; the first reason is kept. */
    public Decisions stop(String reason) {
        return stop.isPresent()
                ? this
                : new Decisions(
                        Optional.of(reason), false, asked, open, newest, best, calls, callbacks, failures, announced);
    }

    /** Records that listeners have received the stop. */
    public Decisions toldStop() {
        return new Decisions(stop, true, asked, open, newest, best, calls, callbacks, failures, announced);
    }

    /** Opens the evaluation of a version, which must not be open. */
    public Decisions ask(long version, long lives, List<Metric> metrics) {
        List<OpenEvaluation> more = new ArrayList<>(open);
        more.add(OpenEvaluation.begun(version, lives, metrics));
        return with(asked.with(version), more, newest, calls);
    }

    /** Returns whether the evaluation of a version was requested and not lost. */
    public boolean wasAsked(long version) {
        return asked.contains(version);
    }

    /** Returns the open evaluation of a version, if any. */
    public Optional<OpenEvaluation> evaluation(long version) {
        return open.stream().filter(each -> each.version() == version).findFirst();
    }

    /** Returns how many versions are pinned for open or unreported evaluations. */
    public int evaluated() {
        return open.size() + untold(false).size();
    }

    /**
     * Returns the evaluations whose callback calls are pending.
     *
     * @param fresh whether to return only those that no callback has received
     */
    public List<Evaluated> untold(boolean fresh) {
        return calls.stream()
                .filter(call -> !fresh || (call.next() == 0 && !call.begun()))
                .map(PendingCallback::what)
                .filter(Evaluated.class::isInstance)
                .map(Evaluated.class::cast)
                .toList();
    }

    /** Returns the versions of open or unreported evaluations that were pinned in earlier lives of the shards. */
    public LongStream lost(long lives) {
        return LongStream.concat(
                open.stream().filter(each -> each.lives() != lives).mapToLong(OpenEvaluation::version),
                untold(false).stream().filter(each -> each.lives() != lives).mapToLong(Evaluated::version));
    }

    /** Adds the results of a task of an evaluation. */
    public Decisions measured(Task task, MetricTotals totals, List<Metric> metrics) {
        return withOpen(open.stream()
                .map(each -> each.version() == task.modelVersion() ? each.with(task, totals, metrics) : each)
                .toList());
    }

    /**
     * Returns whether the results of an evaluation task fit. The next part in data order always fits; a part that
     * comes far too early must be measured again.
     */
    public boolean hasRoomFor(Task task, MetricTotals totals) {
        int numbers = open.stream().mapToInt(OpenEvaluation::earlyNumbers).sum() + totals.size();
        return numbers <= EARLY_NUMBERS
                || evaluation(task.modelVersion())
                        .map(each -> task.firstMinibatch() <= each.merged())
                        .orElse(true);
    }

    /** Returns the metrics of an evaluation whose parts are all known; empty if it is not open. */
    public Optional<Evaluated> result(long version, List<Metric> metrics) {
        return evaluation(version).map(each -> each.result(metrics));
    }

    /** Closes an evaluation and adds its callback call. */
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

    /**
     * Forgets the evaluation of a version whose parameters are lost. It can be requested again, and callbacks receive
     * nothing.
     */
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

    /** Adds a callback call. */
    public Decisions call(CallbackEvent event) {
        List<PendingCallback> more = new ArrayList<>(calls);
        more.add(new PendingCallback(event, 0, false));
        return with(asked, open, newest, more);
    }

    /**
     * Adds the callback call of a written checkpoint, unless it was announced.
     *
     * @param last whether the training ends with it, which adds the call of the end
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

    /** Replaces the first pending call. */
    public Decisions first(UnaryOperator<PendingCallback> change) {
        List<PendingCallback> changed = new ArrayList<>(calls);
        changed.set(0, change.apply(changed.get(0)));
        return with(asked, open, newest, changed);
    }

    /** Removes an event that has no callback to receive it. */
    public Decisions told(CallbackEvent event) {
        return with(asked, open, newest, filtered(call -> !call.what().equals(event)));
    }

    /** Removes the first pending call, which every callback has received. */
    public Decisions told() {
        return with(asked, open, newest, calls.subList(1, calls.size()));
    }

    /** Records the state of a callback. */
    public Decisions remember(String callback, CallbackState state) {
        Map<String, CallbackState> all = new TreeMap<>(callbacks);
        all.put(callback, state);
        return new Decisions(stop, stopTold, asked, open, newest, best, calls, all, failures, announced);
    }

    /** Sets the version that becomes the result; empty for the last one. */
    public Decisions best(Optional<BestVersion> version) {
        return new Decisions(stop, stopTold, asked, open, newest, version, calls, callbacks, failures, announced);
    }

    /**
     * Returns the metrics of the result.
     *
     * @param last the last version
     * @param isBest whether the result is the best version instead of the last one
     */
    public Map<String, Double> figures(long last, boolean isBest) {
        return isBest
                ? best.map(BestVersion::metrics).orElse(Map.of())
                : newest.filter(result -> result.version() == last)
                        .map(Evaluated::metrics)
                        .orElse(Map.of());
    }

    /** Sets the failure counts of ranges. */
    public Decisions failures(List<TaskFailures> counts) {
        return new Decisions(stop, stopTold, asked, open, newest, best, calls, callbacks, counts, announced);
    }

    /**
     * Returns the decisions for a run that resumes from a checkpoint. Keeps the versions that the checkpoint has, but
     * no evaluations, because their pinned versions ended with the previous run.
     */
    public Decisions resumed(long version) {
        EvaluationRequests before = asked.upTo(version);
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
            EvaluationRequests newRequested,
            List<OpenEvaluation> newOpen,
            Optional<Evaluated> newNewest,
            List<PendingCallback> newCalls) {
        return new Decisions(
                stop, stopTold, newRequested, newOpen, newNewest, best, newCalls, callbacks, failures, announced);
    }
}
