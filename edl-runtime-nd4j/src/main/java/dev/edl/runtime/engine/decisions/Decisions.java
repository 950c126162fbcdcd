package dev.edl.runtime.engine.decisions;

import dev.edl.runtime.engine.decisions.CallbackEvent.Evaluated;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.task.RangeFailureCount;
import dev.edl.runtime.task.Task;
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
 * @param stopAnnounced whether listeners have received the stop
 * @param asked model versions for which an evaluation was requested
 * @param open open evaluations, in the order of their requests
 * @param newest the newest complete evaluation
 * @param best the model version that becomes the result instead of the last one, if any
 * @param calls pending callback calls, in order
 * @param callbacks states of the callbacks, by index and class
 * @param failures failure counts of ranges of records
 * @param announced the newest checkpoint for which callbacks were called or a call is pending; empty for none
 * @param began time at which the run's first master started, in milliseconds since 1970; 0 if unknown
 */
public record Decisions(
        Optional<String> stop,
        boolean stopAnnounced,
        EvaluationRequests asked,
        List<OpenEvaluation> open,
        Optional<Evaluated> newest,
        Optional<BestVersion> best,
        List<PendingCallback> calls,
        Map<String, CallbackState> callbacks,
        List<RangeFailureCount> failures,
        String announced,
        long began) {
    /** Maximum count of numbers in the early parts of all open evaluations; each number takes at most ten bytes. */
    private static final int EARLY_NUMBERS = 2400;

    /** Call of the training's end once every callback has received it and the result is reported. */
    private static final PendingCallback FINISHED =
            new PendingCallback(new CallbackEvent.Ended(), Integer.MAX_VALUE, false);

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
            "",
            0);

    /** Copies the collections. */
    public Decisions {
        open = List.copyOf(open);
        calls = List.copyOf(calls);
        callbacks = Map.copyOf(callbacks);
        failures = List.copyOf(failures);
    }

    /** Returns a copy with the start of the run; an earlier start stays. */
    public Decisions begun(long millis) {
        return began != 0
                ? this
                : new Decisions(
                        stop, stopAnnounced, asked, open, newest, best, calls, callbacks, failures, announced, millis);
    }

    /** Returns a copy with an early stop of the training; if there already is a stop, its reason stays. */
    public Decisions stop(String reason) {
        return stop.isPresent()
                ? this
                : new Decisions(
                        Optional.of(reason),
                        false,
                        asked,
                        open,
                        newest,
                        best,
                        calls,
                        callbacks,
                        failures,
                        announced,
                        began);
    }

    /** Returns a copy in which listeners have received the stop. */
    public Decisions markStopAnnounced() {
        return new Decisions(stop, true, asked, open, newest, best, calls, callbacks, failures, announced, began);
    }

    /** Returns a copy with an open evaluation of a version, whose evaluation must not be open yet. */
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

    /** Returns the versions after the given one whose evaluation has ended; at most the newest 256. */
    public LongStream evaluatedAfter(long after) {
        return asked.newest().stream()
                .mapToLong(Long::longValue)
                .filter(version -> version > after && evaluation(version).isEmpty());
    }

    /**
     * Returns the number of evaluations that are open, or whose callback calls are pending; each needs a pinned
     * version.
     */
    public int evaluated() {
        return open.size() + pendingEvaluations(false).size();
    }

    /**
     * Returns the evaluated versions whose callback calls are pending.
     *
     * @param unstarted whether to omit those with a callback call in progress
     */
    public List<Evaluated> pendingEvaluations(boolean unstarted) {
        return calls.stream()
                .filter(call -> !unstarted || (call.next() == 0 && !call.begun()))
                .map(PendingCallback::what)
                .filter(Evaluated.class::isInstance)
                .map(Evaluated.class::cast)
                .toList();
    }

    /**
     * Returns the versions pinned in other lives of the shards than the current ones, among those of evaluations that
     * are open or whose callback calls are pending.
     *
     * @param lives number that identifies the current lives of all shards
     */
    public LongStream lost(long lives) {
        return LongStream.concat(
                open.stream().filter(each -> each.lives() != lives).mapToLong(OpenEvaluation::version),
                pendingEvaluations(false).stream()
                        .filter(each -> each.lives() != lives)
                        .mapToLong(Evaluated::version));
    }

    /** Adds the results of a task of an evaluation. */
    public Decisions measured(Task task, MetricTotals totals, List<Metric> metrics) {
        return withOpen(open.stream()
                .map(each -> each.version() == task.modelVersion() ? each.with(task, totals, metrics) : each)
                .toList());
    }

    /**
     * Returns whether the results of an evaluation task fit into the record. The next part in data order always fits. A
     * part that comes far too early may not, and must be measured again.
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

    /** Closes an evaluation and adds a pending callback call with its result. */
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
     * Forgets the evaluation of a version whose parameters are lost. The version's evaluation can be requested again,
     * and callbacks receive no result of the lost one.
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

    /** Adds a pending callback call. */
    public Decisions call(CallbackEvent event) {
        List<PendingCallback> more = new ArrayList<>(calls);
        more.add(new PendingCallback(event, 0, false));
        return with(asked, open, newest, more);
    }

    /**
     * Adds the callback call of a written checkpoint, unless it was announced.
     *
     * @param last whether the training ends with this checkpoint; if so, also adds the callback call for the end
     */
    public Decisions announce(CallbackEvent.Checkpointed written, boolean last) {
        if (announced.equals(written.directory())) {
            return this;
        }
        Decisions told = new Decisions(
                        stop,
                        stopAnnounced,
                        asked,
                        open,
                        newest,
                        best,
                        calls,
                        callbacks,
                        failures,
                        written.directory(),
                        began)
                .call(written);
        return last ? told.end() : told;
    }

    /** Returns whether a callback call for the end of the training is pending. */
    public boolean ended() {
        return calls.stream().anyMatch(call -> call.what() instanceof CallbackEvent.Ended);
    }

    /** Returns a copy with a pending callback call for the end of the training. */
    public Decisions end() {
        return ended() ? this : call(new CallbackEvent.Ended());
    }

    /** Returns a copy in which the result is reported, so that a later master has nothing to do. */
    public Decisions finish() {
        return with(asked, open, newest, List.of(FINISHED));
    }

    /** Returns whether the result is reported. */
    public boolean finished() {
        return calls.contains(FINISHED);
    }

    /** Returns a copy in which the first pending callback call is replaced. */
    public Decisions first(UnaryOperator<PendingCallback> change) {
        List<PendingCallback> changed = new ArrayList<>(calls);
        changed.set(0, change.apply(changed.get(0)));
        return with(asked, open, newest, changed);
    }

    /** Removes the pending call for an event, because the training has no callbacks. */
    public Decisions removePendingCall(CallbackEvent event) {
        return with(asked, open, newest, filtered(call -> !call.what().equals(event)));
    }

    /** Removes the first pending call, which every callback has received. */
    public Decisions removePendingCall() {
        return with(asked, open, newest, calls.subList(1, calls.size()));
    }

    /** Records the state of a callback. */
    public Decisions remember(String callback, CallbackState state) {
        Map<String, CallbackState> all = new TreeMap<>(callbacks);
        all.put(callback, state);
        return new Decisions(stop, stopAnnounced, asked, open, newest, best, calls, all, failures, announced, began);
    }

    /** Sets the version that becomes the training's result; empty for the last version. */
    public Decisions best(Optional<BestVersion> version) {
        return new Decisions(
                stop, stopAnnounced, asked, open, newest, version, calls, callbacks, failures, announced, began);
    }

    /**
     * Returns the metrics of the training's result; empty if its version was not evaluated.
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

    /** Sets the failure counts of ranges of records. */
    public Decisions failures(List<RangeFailureCount> counts) {
        return new Decisions(
                stop, stopAnnounced, asked, open, newest, best, calls, callbacks, counts, announced, began);
    }

    /**
     * Returns the decisions for a run that resumes from a checkpoint. Keeps the best version, the callbacks' states,
     * and which versions up to {@code version} were evaluated. Drops pending evaluations, because the pins of the
     * previous run ended with it.
     *
     * @param version model version of the checkpoint
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
                "",
                0);
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
                stop,
                stopAnnounced,
                newRequested,
                newOpen,
                newNewest,
                best,
                newCalls,
                callbacks,
                failures,
                announced,
                began);
    }
}
