package dev.edl.runtime.task;

import dev.edl.runtime.task.Leases.Lease;
import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.EpochStarted;
import dev.edl.runtime.task.LedgerEvent.EvaluationQueued;
import dev.edl.runtime.task.LedgerEvent.Failed;
import dev.edl.runtime.task.LedgerEvent.GivenBack;
import dev.edl.runtime.task.LedgerEvent.LateReport;
import dev.edl.runtime.task.LedgerEvent.Leased;
import dev.edl.runtime.task.LedgerEvent.Reason;
import dev.edl.runtime.task.LedgerEvent.Recovered;
import dev.edl.runtime.task.LedgerEvent.Reopened;
import dev.edl.runtime.task.LedgerEvent.Resumed;
import dev.edl.runtime.task.LedgerEvent.ResumedEpoch;
import dev.edl.runtime.task.LedgerEvent.Stopped;
import dev.edl.runtime.task.LedgerEvent.Touched;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the ranges of a dataset to workers that come and go, so that each is done exactly once per epoch.
 *
 * <p>A state machine without threads, clock or I/O: the time is an argument, and each change is an event that goes to
 * the journal before it takes effect. {@link #replay} of the events gives the same ledger, so a new master takes over
 * where the old one stopped; the leases of workers that are still running stay valid.
 *
 * <pre>{@code
 * TaskLedger ledger = TaskLedger.start(spec, journal);
 * if (ledger.next("worker-0", now) instanceof Assignment.Lease lease) {
 *     ...                                            // train on lease.task()
 *     ledger.complete(lease.task().id(), now);
 * }
 * ledger.workerGone("worker-0");                     // what it held goes to the next worker that asks
 * ledger.proof();                                    // each of 1,437 records applied exactly once in ...
 * }</pre>
 *
 * <p>The rules. Evaluation goes before training. What comes back without blame is next in line, what failed goes to
 * the end. An epoch begins when nothing of the ones before is queued, even while some of it is still with workers. No
 * work is ever dropped: a range that fails too often fails the training, and losing a worker is no failure.
 *
 * <p>Not safe for several threads: the caller serialises. When the journal throws, the event has not happened and the
 * exception reaches the caller.
 */
public final class TaskLedger {
    private final LedgerSpec spec;
    private final LedgerState state;
    private final ProofFold proof;
    private final Consumer<? super LedgerEvent> journal;

    TaskLedger(LedgerState state, Consumer<? super LedgerEvent> journal) {
        this.spec = state.spec;
        this.state = state;
        this.proof = new ProofFold(spec);
        this.journal = journal;
    }

    /**
     * A ledger to which nothing has happened.
     *
     * @param journal receives each event before it takes effect
     */
    public static TaskLedger start(LedgerSpec spec, Consumer<? super LedgerEvent> journal) {
        return new TaskLedger(new LedgerState(spec), journal);
    }

    /**
     * The ledger that a history leads to.
     *
     * @param spec equal to the one of the ledger that wrote the history
     * @param history events in their order; read once, not kept
     * @param journal receives the events that come after the history
     * @throws IllegalStateException when the history cannot come from a ledger of this spec
     */
    public static TaskLedger replay(
            LedgerSpec spec, Iterable<? extends LedgerEvent> history, Consumer<? super LedgerEvent> journal) {
        TaskLedger ledger = start(spec, journal);
        long number = 0;
        for (LedgerEvent event : history) {
            number++;
            try {
                ledger.apply(event);
            } catch (IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new IllegalStateException(
                        "event " + number + " does not fit the history before it: " + event + ": " + e.getMessage(), e);
            }
        }
        return ledger;
    }

    /** What is handed out. */
    public LedgerSpec spec() {
        return spec;
    }

    /**
     * Work for a worker. If it holds a task already, that one is taken back first: a worker that asks again has lost
     * it.
     *
     * @param worker a name that is unique among the workers that are alive
     */
    public Assignment next(String worker, Instant now) {
        if (worker.isBlank()) {
            throw new IllegalArgumentException("a worker's name must not be blank, for example \"worker-0\"");
        }
        Lease held = state.leases.heldBy(worker);
        if (held != null) {
            emit(new Recovered(held.task, Reason.SUPERSEDED));
        }
        String failure = state.failure();
        if (failure != null) {
            return new Assignment.Failed(failure);
        }
        Task task = state.head();
        if (task == null && state.epochsBegun() < state.epochs()) {
            emit(new EpochStarted(state.epochsBegun()));
            task = state.head();
        }
        if (task != null) {
            emit(new Leased(task, worker, now));
            return new Assignment.Lease(task);
        }
        return finished() ? new Assignment.Finished() : new Assignment.Wait(whatIsMissing());
    }

    private String whatIsMissing() {
        if (state.leases.size() == 0) {
            throw new IllegalStateException("work is lost: nothing is queued, nobody holds a task, but " + this);
        }
        return state.leases.holders();
    }

    /**
     * A worker reports that a task is complete: all its pushes are applied, or its metrics are in the report.
     *
     * <p>Accepted exactly once for a lease, and also after its timeout as long as {@link #expire} has not taken it
     * back. Reports for tasks that nobody holds are counted and ignored.
     */
    public Completion complete(int taskId, Instant now) {
        Lease lease = reported(taskId);
        if (lease == null) {
            return Completion.IGNORED;
        }
        Task task = lease.task;
        if (lease.doubted()) {
            emit(new Recovered(task, Reason.REOPENED));
            return Completion.IGNORED;
        }
        emit(new Completed(task, now));
        return task.type() == TaskType.TRAINING || state.evaluating(task.modelVersion())
                ? Completion.ACCEPTED
                : new Completion(true, OptionalLong.of(task.modelVersion()));
    }

    /**
     * A worker returns a task unfinished, as one does that is asked to leave. No failure is counted.
     *
     * @return whether the task was out; a report for one that is not is counted and ignored
     */
    public boolean giveBack(int taskId) {
        Lease lease = reported(taskId);
        if (lease != null) {
            emit(new GivenBack(lease.task));
        }
        return lease != null;
    }

    /**
     * A worker could not do a task. The range is queued again; when it has failed
     * {@link LedgerSpec#maxTaskFailures()} times since it was last complete, the training has failed.
     *
     * @param message the error, for people
     * @return whether the task was out; a report for one that is not is counted and ignored
     */
    public boolean fail(int taskId, String message) {
        Lease lease = reported(taskId);
        if (lease != null) {
            emit(new Failed(lease.task, message));
        }
        return lease != null;
    }

    private @Nullable Lease reported(int taskId) {
        Lease lease = state.leases.of(taskId);
        if (lease == null) {
            emit(new LateReport(taskId));
        }
        return lease;
    }

    /** A worker is gone; the task it held, if any, is next in line. No failure is counted. */
    public void workerGone(String worker) {
        Lease held = state.leases.heldBy(worker);
        if (held != null) {
            emit(new Recovered(held.task, Reason.GONE));
        }
    }

    /**
     * A sign of life: the lease counts from now. Each call is an entry of the journal, so call it at the pace of
     * heartbeats, not of minibatches.
     *
     * @return whether the task is still out; if not, the worker had better stop working on it
     */
    public boolean touch(int taskId, Instant now) {
        Lease lease = state.leases.of(taskId);
        if (lease != null && now.isAfter(lease.touched())) {
            emit(new Touched(taskId, now));
        }
        return lease != null;
    }

    /**
     * Takes back the tasks whose lease has run out; later reports about them are ignored.
     *
     * @return these tasks, the longest silent first, which is also the order in which they are handed out again
     */
    public List<Task> expire(Instant now) {
        List<Task> expired = new ArrayList<>();
        for (Lease lease : state.leases.touchedUntil(now.minus(spec.leaseTimeout()))) {
            expired.add(lease.task);
        }
        List<Task> lastFirst = new ArrayList<>(expired);
        Collections.reverse(lastFirst);
        lastFirst.forEach(task -> emit(new Recovered(task, Reason.EXPIRED)));
        return List.copyOf(expired);
    }

    /** The moment at which the next lease runs out, if any is out: a call of {@link #expire} then takes it back. */
    public Optional<Instant> nextExpiry() {
        return Optional.ofNullable(state.leases.oldest()).map(l -> l.touched().plus(spec.leaseTimeout()));
    }

    /**
     * Queues an evaluation of a model version over all evaluation shards, ahead of training.
     *
     * @param modelVersion at least 0; the tasks carry it
     * @return false when this version was asked for before, or there are no evaluation records
     */
    public boolean evaluate(long modelVersion) {
        if (modelVersion < 0) {
            throw new IllegalArgumentException("modelVersion must be at least 0, was " + modelVersion);
        }
        if (state.asked(modelVersion) || state.evaluationRanges.count() == 0) {
            return false;
        }
        emit(new EvaluationQueued(modelVersion));
        return true;
    }

    /**
     * Queues the evaluation of a version once more, whose number other parameters have now; what was found before counts
     * no longer.
     *
     * @return false while the evaluation that was asked for before is open
     */
    public boolean evaluateAgain(long modelVersion) {
        if (state.evaluating(modelVersion)) {
            return false;
        }
        emit(new EvaluationQueued(modelVersion));
        return true;
    }

    /**
     * Puts back the work that a parameter shard has lost, after it came back from an older state: each task of the
     * epoch that was complete and has a minibatch that is not applied any more. It is handed out again with a higher
     * attempt, so its worker resumes behind what is applied.
     *
     * <p>A task that is out may have lost pushes as well, and its worker does not know. It stays with its worker, but
     * its completion is not accepted; the range is then handed out once more, to be compared with the parameter shards.
     *
     * @param epoch from 0 to the last of the spec; one that has not begun has nothing to put back
     * @param applied whether every parameter shard has applied the minibatch of an ordinal, see {@link PushIds}
     * @return how many complete tasks are open again
     */
    public int reopen(int epoch, IntPredicate applied) {
        if (epoch < 0 || epoch >= spec.epochs()) {
            throw new IllegalArgumentException("epoch must be from 0 to " + (spec.epochs() - 1) + ", was " + epoch);
        }
        if (epoch >= state.epochsBegun()) {
            return 0;
        }
        int count = 0;
        List<RecordRange> completed = new ArrayList<>();
        for (int range = 0; range < state.trainingRanges.count(); range++) {
            if (state.isDone(epoch, range) && !allApplied(epoch, range, applied)) {
                addJoined(completed, state.plan.range(epoch, range));
                count++;
            }
        }
        List<Integer> leased = new ArrayList<>();
        for (Lease lease : state.leases.all()) {
            Task task = lease.task;
            if (task.epoch() == epoch && !lease.doubted() && !allApplied(epoch, lease.slot.range(), applied)) {
                leased.add(task.id());
            }
        }
        Collections.sort(leased);
        if (!completed.isEmpty() || !leased.isEmpty()) {
            emit(new Reopened(epoch, completed, leased));
        }
        return count;
    }

    /**
     * Puts back the work that a parameter shard has lost, in all epochs; see {@link #reopen(int, IntPredicate)}.
     *
     * @param applied whether every parameter shard has applied the push of an id
     * @return how many complete tasks are open again
     */
    public int reopen(LongPredicate applied) {
        PushIds ids = new PushIds(state.trainingRanges.minibatches());
        int count = 0;
        for (int epoch = 0; epoch < state.epochsBegun(); epoch++) {
            int e = epoch;
            count += reopen(epoch, ordinal -> applied.test(ids.pushId(e, ordinal)));
        }
        return count;
    }

    private boolean allApplied(int epoch, int range, IntPredicate applied) {
        int first = state.trainingRanges.firstMinibatch(range);
        for (int k = state.plan.minibatches(epoch, range) - 1; k >= 0; k--) {
            if (!applied.test(first + k)) {
                return false;
            }
        }
        return true;
    }

    /** How many epochs have begun; the others have nothing that could be lost. */
    public int epochsBegun() {
        return state.epochsBegun();
    }

    /** The pushes of all training tasks that are complete, ascending; see {@link PushIds}. */
    public LongStream completedPushes() {
        PushIds ids = new PushIds(state.trainingRanges.minibatches());
        return IntStream.range(0, state.epochsBegun())
                .boxed()
                .flatMapToLong(epoch -> IntStream.range(0, state.trainingRanges.count())
                        .filter(range -> state.isDone(epoch, range))
                        .boxed()
                        .flatMapToLong(range -> {
                            long first = ids.pushId(epoch, state.trainingRanges.firstMinibatch(range));
                            return LongStream.range(first, first + state.plan.minibatches(epoch, range));
                        }));
    }

    private static void addJoined(List<RecordRange> ranges, RecordRange next) {
        int last = ranges.size() - 1;
        if (last >= 0
                && ranges.get(last).shard().equals(next.shard())
                && ranges.get(last).end() == next.start()) {
            ranges.set(last, new RecordRange(next.shard(), ranges.get(last).start(), next.end()));
        } else {
            ranges.add(next);
        }
    }

    /**
     * Goes on from a checkpoint: what every parameter shard has applied is complete, and what one of them holds a part
     * of is next in line. To be called before anything else has happened to the ledger.
     *
     * @param applied the minibatches of an epoch that every parameter shard has applied
     * @param held the minibatches of an epoch that any parameter shard has applied or is about to
     * @return how many tasks are complete
     * @throws IllegalStateException when the training has begun, or a shard holds what this spec does not train
     */
    public int resume(IntFunction<BitSet> applied, IntFunction<BitSet> held) {
        if (state.begun()) {
            throw new IllegalStateException("it goes on from a checkpoint, but the training has begun");
        }
        int last = state.plan.epochs() - 1;
        while (last >= 0 && held.apply(last).isEmpty()) {
            last--;
        }
        int count = 0;
        List<ResumedEpoch> epochs = new ArrayList<>();
        for (int epoch = 0; epoch <= last; epoch++) {
            BitSet whole = applied.apply(epoch);
            BitSet some = held.apply(epoch);
            List<RecordRange> completed = new ArrayList<>();
            List<RecordRange> begun = new ArrayList<>();
            for (int range : state.plan.sortedRanges(epoch)) {
                int first = state.trainingRanges.firstMinibatch(range);
                int behind = first + state.plan.minibatches(epoch, range);
                if (whole.nextClearBit(first) >= behind) {
                    addJoined(completed, state.plan.range(epoch, range));
                    count++;
                } else if (some.nextSetBit(first) >= 0 && some.nextSetBit(first) < behind) {
                    addJoined(begun, state.plan.range(epoch, range));
                }
                some.clear(first, behind);
            }
            if (!some.isEmpty()) {
                throw new IllegalStateException("the parameter shards hold minibatch " + some.nextSetBit(0)
                        + " of epoch " + (epoch + 1) + ", which is not to be trained; maxMinibatches is "
                        + spec.maxMinibatches());
            }
            epochs.add(new ResumedEpoch(completed, begun));
        }
        emit(new Resumed(epochs));
        return count;
    }

    /**
     * Ends the training before its time: what was never handed out is left out. What was handed out is still finished,
     * by another worker if need be, because a part of it may be applied; so each record is applied either exactly once
     * or not at all, on every parameter shard. Evaluations that were asked for are finished as well.
     *
     * @param reason why, for people
     * @return false when there is nothing left to leave out: the training was stopped before, or all of it is complete
     */
    public boolean stop(String reason) {
        if (state.stopped() != null || state.trainingComplete()) {
            return false;
        }
        emit(new Stopped(reason));
        return true;
    }

    /** Why the training was stopped before its time, if it was. */
    public Optional<String> stopped() {
        return Optional.ofNullable(state.stopped());
    }

    /** Whether all that is to be trained is complete; evaluations may be open. */
    public boolean trainingComplete() {
        return state.trainingComplete();
    }

    /** How many tasks an epoch has, unless a stop leaves some of them out. */
    public int tasksOf(int epoch) {
        return state.plan.tasks(epoch);
    }

    /** Whether all epochs are complete and no evaluation is open. */
    public boolean finished() {
        return state.trainingComplete() && !state.evaluating();
    }

    /** Why the training has failed, if it has: shard, range, epoch, count and the last error. */
    public Optional<String> failure() {
        return Optional.ofNullable(state.failure());
    }

    /** Who holds which task now, by the worker's name; a copy. */
    public SortedMap<String, Task> leases() {
        return state.leases.snapshot();
    }

    /** How far the training is. */
    public LedgerProgress progress() {
        return state.progress();
    }

    /** How often each record was completed, computed from the events alone. */
    public LedgerProof proof() {
        return proof.proof();
    }

    private void emit(LedgerEvent event) {
        journal.accept(event);
        apply(event);
    }

    private void apply(LedgerEvent event) {
        state.apply(event);
        proof.accept(event);
    }

    /** The progress, for example {@code epoch 3 of 30: 45 of 690 tasks, …}, or why the training has failed. */
    @Override
    public String toString() {
        String failure = state.failure();
        return failure == null ? progress().toString() : "failed: " + failure;
    }
}
