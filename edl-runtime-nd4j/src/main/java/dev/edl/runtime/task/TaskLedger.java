package dev.edl.runtime.task;

import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.EpochStarted;
import dev.edl.runtime.task.LedgerEvent.EvaluationQueued;
import dev.edl.runtime.task.LedgerEvent.Failed;
import dev.edl.runtime.task.LedgerEvent.GivenBack;
import dev.edl.runtime.task.LedgerEvent.LateReport;
import dev.edl.runtime.task.LedgerEvent.Leased;
import dev.edl.runtime.task.LedgerEvent.Reason;
import dev.edl.runtime.task.LedgerEvent.Recalled;
import dev.edl.runtime.task.LedgerEvent.Recovered;
import dev.edl.runtime.task.LedgerEvent.Reopened;
import dev.edl.runtime.task.LedgerEvent.Stopped;
import dev.edl.runtime.task.LedgerEvent.Touched;
import dev.edl.runtime.task.internal.Leases.Lease;
import java.time.Duration;
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
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the ranges of a dataset to workers that come and go, so that each is done exactly once per epoch.
 *
 * <p>A state machine without threads, clock or I/O: the time is an argument, and each change is an event that goes to
 * the journal before it takes effect. {@link #replay} of the events gives the same ledger, so a new master takes over
 * where the old one stopped; the leases of workers that are still running stay valid. Times are those of one master: how
 * long it has been running, by a clock that does not jump. A master that takes over {@linkplain #renewLeases renews} all
 * leases, because its time begins anew.
 *
 * <pre>{@code
 * TaskLedger ledger = TaskLedger.start(spec, journal);
 * if (ledger.next("worker-0", now) instanceof Assignment.Lease lease) {
 *     ...                                            // train on lease.task()
 *     ledger.complete(lease.task(), now);
 * }
 * ledger.workerGone("worker-0");                     // what it held goes to the next worker that asks
 * ledger.proof();                                    // each of 1,437 records applied exactly once in ...
 * }</pre>
 *
 * <p>A worker holds the task that it works on and, if it asks {@linkplain #prefetch ahead}, the one behind it. Both are leases
 * like any other; the one that it has not begun can be {@linkplain #recall recalled} for a worker that has nothing to do.
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
     * Work for a worker. If it holds tasks already, they are taken back first: a worker that asks again has lost
     * them.
     *
     * @param worker a name that is unique among the workers that are alive
     */
    public Assignment next(String worker, Duration now) {
        if (worker.isBlank()) {
            throw new IllegalArgumentException("a worker's name must not be blank, for example \"worker-0\"");
        }
        takeBack(worker, Reason.SUPERSEDED);
        return handOut(worker, now);
    }

    /**
     * The work behind the task that a worker holds, so that it can read the records meanwhile. The worker holds both then.
     *
     * @param held the only task that the worker holds; with any other answer than that there is nothing for it
     */
    public Assignment prefetch(String worker, Task held, Duration now) {
        List<Lease> leases = state.leases.heldBy(worker);
        return leases.size() == 1 && leases.get(0).task.equals(held)
                ? handOut(worker, now)
                : new Assignment.Wait(worker + " does not hold " + held + " alone");
    }

    /**
     * Takes back a task that its worker holds and has not begun, as the caller knows. It is next in line, and counts as never
     * handed out, unless it was handed out before.
     *
     * @return whether the task was out
     */
    public boolean recall(Task task) {
        Lease lease = held(task);
        if (lease != null) {
            emit(new Recalled(lease.task));
        }
        return lease != null;
    }

    /** The first that was handed out is the first in line afterwards. */
    private void takeBack(String worker, Reason reason) {
        List<Lease> held = state.leases.heldBy(worker);
        for (int i = held.size() - 1; i >= 0; i--) {
            emit(new Recovered(held.get(i).task, reason));
        }
    }

    private Assignment handOut(String worker, Duration now) {
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
            throw new IllegalStateException("work is lost: nothing is queued, no worker holds a task, but " + this);
        }
        return state.leases.holders();
    }

    /**
     * A worker reports that a task is complete: all its pushes are applied, or its metrics are in the report.
     *
     * <p>Accepted exactly once for a lease, and also after its timeout as long as {@link #expire} has not taken it
     * back. Reports for tasks that no worker holds are counted and ignored.
     *
     * @param reported the whole task, as it was handed out
     */
    public Completion complete(Task reported, Duration now) {
        Lease lease = leaseOf(reported);
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
    public boolean giveBack(Task task) {
        Lease lease = leaseOf(task);
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
    public boolean fail(Task task, String message) {
        Lease lease = leaseOf(task);
        if (lease != null) {
            emit(new Failed(lease.task, message));
        }
        return lease != null;
    }

    /**
     * The lease that a report is about. A number alone does not tell: a journal that lost its end with its machine gives
     * numbers again, and a report of the old task must not end the new one.
     */
    private @Nullable Lease leaseOf(Task reported) {
        Lease lease = held(reported);
        if (lease == null) {
            emit(new LateReport(reported.id()));
        }
        return lease;
    }

    private @Nullable Lease held(Task task) {
        Lease lease = state.leases.of(task.id());
        return lease != null && lease.task.equals(task) ? lease : null;
    }

    /** A worker is gone; what it held is next in line. No failure is counted. */
    public void workerGone(String worker) {
        takeBack(worker, Reason.GONE);
    }

    /**
     * A sign of life: all leases of the worker count from now. Each call is an entry of the journal, so call it at the pace of
     * heartbeats, not of minibatches.
     *
     * @return whether the worker still has the task's lease; if not, it should stop working on the task
     */
    public boolean touch(Task task, Duration now) {
        Lease lease = held(task);
        if (lease != null && now.compareTo(lease.touched()) > 0) {
            emit(new Touched(task.id(), now));
        }
        return lease != null;
    }

    /**
     * Gives every lease its full timeout from now on, as a master does that takes over. Not an entry of the journal: the
     * next master does the same.
     */
    public void renewLeases(Duration now) {
        state.leases.renew(now);
    }

    /**
     * Takes back the tasks whose lease has run out; later reports about them are ignored.
     *
     * @return these tasks, the longest silent first, which is also the order in which they are handed out again
     */
    public List<Task> expire(Duration now) {
        List<Task> expired = new ArrayList<>();
        for (Lease lease : state.leases.touchedUntil(now.minus(spec.leaseTimeout()))) {
            expired.add(lease.task);
        }
        List<Task> lastFirst = new ArrayList<>(expired);
        Collections.reverse(lastFirst);
        lastFirst.forEach(task -> emit(new Recovered(task, Reason.EXPIRED)));
        return List.copyOf(expired);
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
     * @return false while the evaluation that was asked for before is open, or when there are no evaluation records
     */
    public boolean evaluateAgain(long modelVersion) {
        if (state.evaluating(modelVersion) || state.evaluationRanges.count() == 0) {
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
        HeldWork work = new HeldWork(state);
        int count = 0;
        List<RecordRange> completed = new ArrayList<>();
        for (int range = 0; range < state.trainingRanges.count(); range++) {
            if (state.isDone(epoch, range) && !work.allApplied(epoch, range, applied)) {
                RecordRange.addJoined(completed, state.plan.range(epoch, range));
                count++;
            }
        }
        List<Integer> leased = new ArrayList<>();
        for (Lease lease : state.leases.all()) {
            Task task = lease.task;
            if (task.epoch() == epoch && !lease.doubted() && !work.allApplied(epoch, lease.slot.range(), applied)) {
                leased.add(task.id());
            }
        }
        Collections.sort(leased);
        if (!completed.isEmpty() || !leased.isEmpty()) {
            emit(new Reopened(epoch, completed, leased));
        }
        return count;
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
        LedgerEvent.Resumed resumed = new HeldWork(state).resumed(applied, held);
        emit(resumed);
        return Math.toIntExact(state.progress().tasksDone());
    }

    /** How often ranges have failed since they were last complete; those that have not are left out. */
    public List<TaskFailures> failures() {
        return state.failures();
    }

    /** Returns what a master does with this ledger after a loss. */
    public LedgerRecovery recovery() {
        return new LedgerRecovery(state, this::emit);
    }

    /** The versions whose evaluation is open, ascending; a copy. */
    public List<Long> openEvaluations() {
        return state.openEvaluations();
    }

    /**
     * Ends the training before its time: what was never handed out, or was recalled, is left out. What was handed out is still finished,
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

    /** Returns why the training was stopped before its time, if it was. */
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

    /** Returns a copy of the leased tasks by the worker's name, in the order of their leases. */
    public SortedMap<String, List<Task>> leases() {
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
