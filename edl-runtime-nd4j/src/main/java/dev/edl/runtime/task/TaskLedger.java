package dev.edl.runtime.task;

import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.Leases.Lease;
import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.EvaluationQueued;
import dev.edl.runtime.task.LedgerEvent.Failed;
import dev.edl.runtime.task.LedgerEvent.GivenBack;
import dev.edl.runtime.task.LedgerEvent.Leased;
import dev.edl.runtime.task.LedgerEvent.Reason;
import dev.edl.runtime.task.LedgerEvent.Recalled;
import dev.edl.runtime.task.LedgerEvent.Recovered;
import dev.edl.runtime.task.LedgerEvent.Reopened;
import dev.edl.runtime.task.LedgerEvent.Stopped;
import dev.edl.runtime.task.LedgerEvent.Touched;
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
 * Hands out the ranges of a dataset to workers that join and leave, so that each range is done exactly once per epoch.
 *
 * <p>The ledger is a state machine without threads, clock or I/O. The time is an argument, and each change is an event
 * that an observer receives before it takes effect. A later master of the same process takes the ledger {@linkplain
 * #handedTo over}, and the leases of running workers stay valid. One of another process {@linkplain #resume resumes}
 * from the pushes that the parameter shards hold. Times count from the start of one master, by a monotonic clock. A
 * master that takes over {@linkplain #renewLeases renews} all leases, because its clock starts at zero.
 *
 * <pre>{@code
 * TaskLedger ledger = TaskLedger.start(spec, event -> {});
 * if (ledger.next("worker-0", now) instanceof Assignment.Lease lease) {
 *     ...                                            // train on lease.task()
 *     ledger.complete(lease.task(), now);
 * }
 * ledger.workerGone("worker-0");                     // its tasks go to the next worker that asks
 * ledger.proof();                                    // each of 1,437 records applied exactly once in ...
 * }</pre>
 *
 * <p>A worker holds its current task and, if it {@linkplain #prefetch prefetches}, the next one. Both are ordinary
 * leases. A task that the worker has not begun can be {@linkplain #recall recalled} for an idle worker.
 *
 * <p>Rules:
 * <ul>
 *   <li>Evaluation goes before training.
 *   <li>A task returned without a failure is next in line; a failed task goes to the end.
 *   <li>An epoch begins once no task of earlier epochs is queued, even if workers still hold some.
 *   <li>No work is ever dropped: a range that fails too often fails the training, and losing a worker is not a failure.
 * </ul>
 *
 * <p>Not thread-safe: the caller serialises. If the observer throws, the event has not happened and the exception
 * reaches the caller.
 */
public final class TaskLedger {
    private final LedgerSpec spec;
    private final LedgerState state;
    private final ProofCalculator proof;
    private final Consumer<? super LedgerEvent> observer;
    private boolean changed;

    TaskLedger(LedgerState state, Consumer<? super LedgerEvent> observer) {
        this(state, new ProofCalculator(state.spec), observer);
    }

    private TaskLedger(LedgerState state, ProofCalculator proof, Consumer<? super LedgerEvent> observer) {
        this.spec = state.spec;
        this.state = state;
        this.proof = proof;
        this.observer = observer;
    }

    /**
     * Creates a ledger without history.
     *
     * @param observer receives each event before it takes effect
     */
    public static TaskLedger start(LedgerSpec spec, Consumer<? super LedgerEvent> observer) {
        return new TaskLedger(new LedgerState(spec), observer);
    }

    /**
     * Returns the ledger for a later master of the same process. The earlier master must no longer use its own.
     *
     * @param next receives each further event before it takes effect
     */
    public TaskLedger handedTo(Consumer<? super LedgerEvent> next) {
        TaskLedger ledger = new TaskLedger(state, proof, next);
        ledger.changed = changed;
        return ledger;
    }

    /** Returns whether anything has happened, so that this ledger is not as {@link #start} created it. */
    public boolean changed() {
        return changed;
    }

    /** Returns the specification of the work. */
    public LedgerSpec spec() {
        return spec;
    }

    /**
     * Leases the next task to a worker. Takes back any tasks that it holds, because a worker that asks again has lost
     * them.
     *
     * @param worker a name that is unique among the live workers
     */
    public Assignment next(String worker, Duration now) {
        if (worker.isBlank()) {
            throw new IllegalArgumentException("a worker's name must not be blank, for example \"worker-0\"");
        }
        takeBack(worker, Reason.SUPERSEDED);
        return handOut(worker, now);
    }

    /**
     * Leases the task after the held one to a worker, so that it can read the records meanwhile. The worker then holds
     * both.
     *
     * @param held the only task that the worker holds; otherwise the worker gets no task
     */
    public Assignment prefetch(String worker, Task held, Duration now) {
        List<Lease> leases = state.leases.heldBy(worker);
        return leases.size() == 1 && leases.get(0).task.equals(held)
                ? handOut(worker, now)
                : new Assignment.Wait(worker + " does not hold " + held + " alone");
    }

    /**
     * Takes back a task that its worker holds and, as the caller ensures, has not begun. Its range is next in the
     * queue. It counts as never handed out, unless an earlier task had handed it out.
     *
     * @return whether the task was leased
     */
    public boolean recall(Task task) {
        Lease lease = held(task);
        if (lease != null) {
            emit(new Recalled(lease.task));
        }
        return lease != null;
    }

    /** Takes back all tasks of a worker, keeping their hand-out order in the queue. */
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
            emit(new LedgerEvent.EpochStarted(state.epochsBegun()));
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
     * Completes a task: all its pushes are applied, or the report carries its metrics.
     *
     * <p>A report is accepted exactly once per lease, also after the timeout if {@link #expire} has not taken the task
     * back. Reports for tasks that no worker holds are counted and ignored.
     *
     * @param reported the whole task, as it was handed out
     */
    public CompletionOutcome complete(Task reported, Duration now) {
        Lease lease = leaseOf(reported);
        if (lease == null) {
            return CompletionOutcome.IGNORED;
        }
        Task task = lease.task;
        if (lease.doubted()) {
            emit(new Recovered(task, Reason.REOPENED));
            return CompletionOutcome.IGNORED;
        }
        emit(new Completed(task, now));
        return task.type() == TaskType.TRAINING || state.evaluating(task.modelVersion())
                ? CompletionOutcome.ACCEPTED
                : new CompletionOutcome(true, OptionalLong.of(task.modelVersion()));
    }

    /**
     * Returns a task unfinished, for example because its worker was asked to leave. Counts no failure.
     *
     * @return whether the task was leased; otherwise the report is counted and ignored
     */
    public boolean giveBack(Task task) {
        Lease lease = leaseOf(task);
        if (lease != null) {
            emit(new GivenBack(lease.task));
        }
        return lease != null;
    }

    /**
     * Records a failed task and queues the range again. If the range has failed {@link LedgerSpec#maxTaskFailures()}
     * times since it was last complete, the training has failed.
     *
     * @param message text that describes the error, for people
     * @return whether the task was leased; otherwise the report is counted and ignored
     */
    public boolean fail(Task task, String message) {
        Lease lease = leaseOf(task);
        if (lease != null) {
            emit(new Failed(lease.task, message));
        }
        return lease != null;
    }

    /**
     * Returns the lease of a reported task. The id alone does not identify it. A master of another process reuses ids,
     * and a report of the old task must not complete the new one.
     */
    private @Nullable Lease leaseOf(Task reported) {
        Lease lease = held(reported);
        if (lease == null) {
            emit(new LedgerEvent.LateReport(reported.id()));
        }
        return lease;
    }

    private @Nullable Lease held(Task task) {
        Lease lease = state.leases.of(task.id());
        return lease != null && lease.task.equals(task) ? lease : null;
    }

    /** Takes back all tasks of a worker that is gone; they are next in line. Counts no failure. */
    public void workerGone(String worker) {
        takeBack(worker, Reason.GONE);
    }

    /**
     * Renews all leases of the worker that holds a task.
     *
     * @return whether the worker still holds the task; if not, it should stop working on it
     */
    public boolean touch(Task task, Duration now) {
        Lease lease = held(task);
        if (lease != null && now.compareTo(lease.touched()) > 0) {
            emit(new Touched(task.id(), now));
        }
        return lease != null;
    }

    /**
     * Renews every lease for its full timeout, for a master that takes over.
     */
    public void renewLeases(Duration now) {
        state.leases.renew(now);
    }

    /**
     * Takes back the tasks whose lease has expired; later reports about them are ignored.
     *
     * @return the expired tasks in the order of their next hand-out; the task with the oldest lease is first
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
     * @param modelVersion version to evaluate, at least 0
     * @return false if this version was requested before, or there are no evaluation records
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
     * Queues the evaluation of a version again, because the version now denotes other parameters. Earlier results no
     * longer count.
     *
     * @return false if the evaluation is still open, or there are no evaluation records
     */
    public boolean evaluateAgain(long modelVersion) {
        if (state.evaluating(modelVersion) || state.evaluationRanges.count() == 0) {
            return false;
        }
        emit(new EvaluationQueued(modelVersion));
        return true;
    }

    /**
     * Requeues work that a parameter shard lost when it restored an older state. These are the complete tasks of the
     * epoch with a minibatch that is no longer applied. Each is handed out with a higher attempt, so its worker
     * resumes after the applied minibatches.
     *
     * <p>A leased task may also have lost pushes, unknown to its worker. It stays with its worker, but its completion
     * is not accepted. The range is then handed out again, to be compared with the parameter shards.
     *
     * @param epoch epoch from 0 to the spec's last one; an epoch that has not begun has nothing to requeue
     * @param applied whether every parameter shard has applied the minibatch with an ordinal of {@link PushIds}
     * @return the number of complete tasks that are open again
     */
    public int reopen(int epoch, IntPredicate applied) {
        if (epoch < 0 || epoch >= spec.epochs()) {
            throw new IllegalArgumentException("epoch must be from 0 to " + (spec.epochs() - 1) + ", was " + epoch);
        }
        if (epoch >= state.epochsBegun()) {
            return 0;
        }
        RangesFromPushes work = new RangesFromPushes(state);
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

    /** Returns how many epochs have begun. */
    public int epochsBegun() {
        return state.epochsBegun();
    }

    /** Returns the push ids of all complete training tasks, ascending; see {@link PushIds}. */
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
     * Resumes from a checkpoint: ranges that every parameter shard has applied are complete, and partly applied ranges
     * are next in line. Call it before any other change of the ledger.
     *
     * @param applied returns the minibatches of an epoch that every parameter shard has applied
     * @param held returns the minibatches of an epoch that any parameter shard has applied or will apply
     * @return the number of complete tasks
     * @throws IllegalStateException if the training has begun, or a shard holds minibatches that this spec does not
     *     train
     */
    public int resume(IntFunction<BitSet> applied, IntFunction<BitSet> held) {
        if (state.begun()) {
            throw new IllegalStateException("cannot resume from a checkpoint: the training has begun");
        }
        LedgerEvent.Resumed resumed = new RangesFromPushes(state).resumed(applied, held);
        emit(resumed);
        return Math.toIntExact(state.progress().tasksDone());
    }

    /** Returns the failure counts of ranges since they were last complete; ranges without failures are left out. */
    public List<RangeFailureCount> failures() {
        return state.failures();
    }

    /** Returns the operations by which a master repairs this ledger after a loss. */
    public LedgerRecovery recovery() {
        return new LedgerRecovery(state, this::emit);
    }

    /** Returns a copy of the versions whose evaluation is open, ascending. */
    public List<Long> openEvaluations() {
        return state.openEvaluations();
    }

    /**
     * Stops the training early. Ranges that were never handed out, or were recalled, are left out. Ranges that were
     * handed out are still finished, if necessary by another worker, because part of them may be applied. So each
     * record is applied either exactly once or not at all, on every parameter shard. Requested evaluations are
     * finished.
     *
     * @param reason the reason, for people
     * @return false if the training was stopped before or is complete, so that the call has no effect
     */
    public boolean stop(String reason) {
        if (state.stopped() != null || state.trainingComplete()) {
            return false;
        }
        emit(new Stopped(reason));
        return true;
    }

    /** Returns the reason of an early stop, if any. */
    public Optional<String> stopped() {
        return Optional.ofNullable(state.stopped());
    }

    /** Returns whether all training tasks are complete; evaluations may be open. */
    public boolean trainingComplete() {
        return state.trainingComplete();
    }

    /** Returns how many tasks an epoch has, unless a stop leaves some of them out. */
    public int tasksOf(int epoch) {
        return state.plan.tasks(epoch);
    }

    /** Returns whether all epochs are complete and no evaluation is open. */
    public boolean finished() {
        return state.trainingComplete() && !state.evaluating();
    }

    /** Returns the failure of the training, if any: shard, range, epoch, count and the last error. */
    public Optional<String> failure() {
        return Optional.ofNullable(state.failure());
    }

    /** Returns a copy of the leased tasks by worker name; a worker's tasks are in the order of their leases. */
    public SortedMap<String, List<Task>> leases() {
        return state.leases.snapshot();
    }

    /** Returns the progress of the training. */
    public LedgerProgress progress() {
        return state.progress();
    }

    /** Returns the proof of how often each record was completed, computed from the events alone. */
    public LedgerProof proof() {
        return proof.proof();
    }

    private void emit(LedgerEvent event) {
        observer.accept(event);
        apply(event);
    }

    void apply(LedgerEvent event) {
        changed = true;
        state.apply(event);
        proof.accept(event);
    }

    /** Returns the progress, for example {@code epoch 3 of 30: 45 of 690 tasks, …}, or why the training has failed. */
    @Override
    public String toString() {
        String failure = state.failure();
        return failure == null ? progress().toString() : "failed: " + failure;
    }
}
