package dev.edl.runtime.task;

import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.Leases.Lease;
import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.EpochStarted;
import dev.edl.runtime.task.LedgerEvent.EvaluationLost;
import dev.edl.runtime.task.LedgerEvent.EvaluationQueued;
import dev.edl.runtime.task.LedgerEvent.EvaluationResumed;
import dev.edl.runtime.task.LedgerEvent.Failed;
import dev.edl.runtime.task.LedgerEvent.GivenBack;
import dev.edl.runtime.task.LedgerEvent.Leased;
import dev.edl.runtime.task.LedgerEvent.Rebuilt;
import dev.edl.runtime.task.LedgerEvent.Recalled;
import dev.edl.runtime.task.LedgerEvent.Recovered;
import dev.edl.runtime.task.LedgerEvent.Reinstated;
import dev.edl.runtime.task.LedgerEvent.Reopened;
import dev.edl.runtime.task.LedgerEvent.Resumed;
import dev.edl.runtime.task.LedgerEvent.Stopped;
import dev.edl.runtime.task.LedgerEvent.Touched;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * State of a ledger, derived from its events so far. Only {@link #apply} changes it; it makes no decisions.
 *
 * <p>Invariant: each range of each started pass is either queued, leased, done or left out. Only ranges that were
 * never handed out are left out.
 */
class LedgerState {
    final LedgerSpec spec;
    final TaskRanges trainingRanges;
    final TrainingPlan plan;
    final TaskRanges evaluationRanges;
    final Leases leases = new Leases();
    private final PendingRanges training = new PendingRanges();
    private final PendingRanges evaluation = new PendingRanges();
    private final List<PassProgress> epochs = new ArrayList<>();
    private final TreeSet<Integer> incompleteEpochs = new TreeSet<>();
    private final Map<Long, PassProgress> evaluations = new HashMap<>();
    private final RequestedEvaluationVersions requestedVersions = new RequestedEvaluationVersions();
    private final Map<PassRange, Integer> attempts = new HashMap<>();
    private final Map<PassRange, Integer> failures = new HashMap<>();
    private int nextTaskId = 1;
    private long tasksTotal;
    private long recordsTotal;
    private long minibatchesTotal;
    private long tasksDone;
    private long recordsDone;
    private long retries;
    private long recovered;
    private @Nullable String failure;
    private @Nullable String stopped;

    LedgerState(LedgerSpec spec) {
        this.spec = spec;
        this.trainingRanges = TaskRanges.training(spec);
        this.evaluationRanges = TaskRanges.evaluation(spec);
        this.plan = new TrainingPlan(spec, trainingRanges);
        this.tasksTotal = plan.tasks();
        this.recordsTotal = plan.records();
        this.minibatchesTotal = plan.minibatches();
    }

    @Nullable
    String stopped() {
        return stopped;
    }

    /** Returns the number of epochs that have begun or will begin. */
    int epochs() {
        return stopped == null ? plan.epochs() : epochs.size();
    }

    @Nullable
    String failure() {
        return failure;
    }

    int epochsBegun() {
        return epochs.size();
    }

    boolean trainingComplete() {
        return epochs.size() == epochs() && incompleteEpochs.isEmpty();
    }

    boolean evaluating() {
        return !evaluations.isEmpty();
    }

    boolean evaluating(long version) {
        return evaluations.containsKey(version);
    }

    boolean asked(long version) {
        return requestedVersions.contains(version);
    }

    boolean isDone(int epoch, int range) {
        return epochs.get(epoch).isDone(range);
    }

    /** Returns the next task to hand out, evaluation before training; null if nothing is queued. */
    @Nullable
    Task head() {
        PassRange part = queue().peek();
        return part == null ? null : task(part);
    }

    LedgerProgress progress() {
        return new LedgerProgress(
                incompleteEpochs.isEmpty() ? epochs.size() : incompleteEpochs.first(),
                epochs(),
                tasksDone,
                tasksTotal,
                recordsDone,
                recordsTotal,
                minibatchesTotal,
                leases.size(),
                training.size() + evaluation.size(),
                evaluations.size(),
                retries,
                recovered,
                stopped != null);
    }

    void apply(LedgerEvent event) {
        if (event instanceof Leased leased) {
            lease(leased);
        } else if (event instanceof Touched touched) {
            leases.touch(touched.taskId(), touched.at());
        } else if (event instanceof Completed completed) {
            complete(release(completed.task()));
        } else if (event instanceof GivenBack given) {
            comeBack(release(given.task()));
        } else if (event instanceof Recovered back) {
            recovered++;
            comeBack(release(back.task()));
        } else if (event instanceof Recalled unbegun) {
            recall(release(unbegun.task()));
        } else if (event instanceof Failed failed) {
            fail(release(failed.task()), failed.message());
        } else if (event instanceof EpochStarted started) {
            startEpoch(started.epoch());
        } else if (event instanceof EvaluationQueued queued) {
            startEvaluation(queued.modelVersion());
        } else if (event instanceof Reopened reopened) {
            reopen(reopened);
        } else if (event instanceof Resumed resumed) {
            resume(resumed);
        } else if (event instanceof Stopped stop) {
            stop(stop.reason());
        } else if (event instanceof EvaluationResumed known) {
            resumeEvaluation(known);
        } else if (event instanceof EvaluationLost lost) {
            evaluations.remove(lost.modelVersion());
            evaluation.removePass(lost.modelVersion());
        } else if (event instanceof Reinstated due) {
            reinstate(due);
        } else if (event instanceof Rebuilt rebuilt) {
            rebuilt.failures().forEach(this::fail);
        }
        // LateReport and BegunAnew matter to the proof; they do not change the state.
    }

    /** Puts a task that came back without a failure at the head of the queue. */
    void comeBack(PassRange part) {
        attempts.merge(part, 1, Integer::sum);
        queue(part).addFirst(part);
    }

    /** Requeues a recalled range; a stop drops it unless it was handed out before and so may be partly applied. */
    private void recall(PassRange part) {
        if (attempts.getOrDefault(part, 0) > 0) {
            queue(part).addFirst(part);
        } else {
            queue(part).addUnbegun(part);
        }
    }

    void complete(PassRange part) {
        failures.remove(part);
        attempts.remove(part);
        PassProgress pass = pass(part);
        pass.done(part.range());
        if (part.type() != TaskType.TRAINING) {
            if (pass.complete()) {
                evaluations.remove(part.pass());
            }
            return;
        }
        tasksDone++;
        recordsDone += plan.range((int) part.pass(), part.range()).records();
        if (pass.complete()) {
            incompleteEpochs.remove((int) part.pass());
        }
    }

    private void fail(PassRange part, String message) {
        attempts.merge(part, 1, Integer::sum);
        queue(part).addLast(part);
        fail(part, failures.merge(part, 1, Integer::sum), message);
    }

    /** Restores an open range's failure count, which precedes the history; the text of the last error is lost. */
    private void fail(RangeFailureCount before) {
        PassRange part = new PassRange(before.type(), before.pass(), rangeOf(before));
        if (part.type() == TaskType.TRAINING
                && part.pass() < epochs.size()
                && isDone((int) part.pass(), part.range())) {
            // It was completed after the counts were recorded.
            return;
        }
        failures.put(part, before.count());
        fail(part, before.count(), "unknown, because its master has left");
    }

    private int rangeOf(RangeFailureCount failed) {
        TaskRanges ranges = failed.type() == TaskType.TRAINING ? trainingRanges : evaluationRanges;
        return ranges.indexOf(failed.range().shard(), failed.range().start());
    }

    List<RangeFailureCount> failures() {
        return failures.entrySet().stream()
                .map(entry -> new RangeFailureCount(
                        entry.getKey().type(), entry.getKey().pass(), records(entry.getKey()), entry.getValue()))
                .sorted(RangeFailureCount.ORDER)
                .toList();
    }

    List<Long> openEvaluations() {
        return evaluations.keySet().stream().sorted().toList();
    }

    private void fail(PassRange part, int count, String message) {
        if (count >= spec.maxTaskFailures() && failure == null) {
            failure = records(part)
                    + (part.type() == TaskType.TRAINING
                            ? " of epoch " + (part.pass() + 1)
                            : " at version " + part.pass())
                    + " failed "
                    + (count == 1 ? "once" : count + " times") + ", maxTaskFailures is " + spec.maxTaskFailures()
                    + "; last error: " + message;
        }
    }

    private void lease(Leased event) {
        PendingRanges queue = queue();
        PassRange part = queue.peek();
        Task due = part == null ? null : task(part);
        if (part == null || !event.task().equals(due)) {
            throw new IllegalStateException("cannot lease " + event.task() + ": the next task is " + due);
        }
        queue.remove();
        leases.add(new Lease(event.task(), part, event.worker(), event.at()));
        nextTaskId = Math.addExact(nextTaskId, 1);
        if (event.task().attempt() > 0) {
            retries++;
        }
    }

    private PassRange release(Task task) {
        Lease lease = leases.remove(task.id());
        if (!lease.task.equals(task)) {
            throw new IllegalStateException("cannot end " + task + ": the leased task is " + lease.task);
        }
        return lease.slot;
    }

    private void startEpoch(int epoch) {
        if (epoch != epochs.size()) {
            throw new IllegalStateException("cannot start epoch " + epoch + ": the next epoch is " + epochs.size());
        }
        int[] order = plan.order(epoch);
        epochs.add(passOf(order));
        incompleteEpochs.add(epoch);
        training.addPass(TaskType.TRAINING, epoch, order);
    }

    /** Returns the progress of a pass in which all ranges but those of {@code order} are left out. */
    private PassProgress passOf(int[] order) {
        PassProgress pass = new PassProgress(trainingRanges.count());
        if (order.length < trainingRanges.count()) {
            BitSet out = new BitSet();
            out.set(0, trainingRanges.count());
            for (int range : order) {
                out.clear(range);
            }
            out.stream().forEach(pass::drop);
        }
        return pass;
    }

    /** Returns whether an epoch has begun or a task was handed out. */
    boolean begun() {
        return !epochs.isEmpty() || nextTaskId > 1;
    }

    private void resume(Resumed event) {
        if (begun()) {
            throw new IllegalStateException("cannot resume from a checkpoint: the training has begun");
        }
        for (LedgerEvent.ResumedEpoch held : event.epochs()) {
            int epoch = epochs.size();
            int[] order = plan.order(epoch);
            PassProgress pass = passOf(order);
            epochs.add(pass);
            incompleteEpochs.add(epoch);
            BitSet begun = new BitSet();
            eachRange(epoch, held.completed(), range -> {
                begun.set(range);
                pass.done(range);
                tasksDone++;
                recordsDone += plan.range(epoch, range).records();
            });
            eachRange(epoch, held.begun(), range -> {
                begun.set(range);
                PassRange part = new PassRange(TaskType.TRAINING, epoch, range);
                attempts.put(part, 1);
                training.addReturned(part);
            });
            training.addPass(
                    TaskType.TRAINING,
                    epoch,
                    Arrays.stream(order).filter(range -> !begun.get(range)).toArray());
            if (pass.complete()) {
                incompleteEpochs.remove(epoch);
            }
        }
    }

    private void stop(String reason) {
        if (stopped != null) {
            throw new IllegalStateException("cannot stop the ledger: it was already stopped: " + stopped);
        }
        stopped = reason;
        for (int epoch = epochs.size(); epoch < plan.epochs(); epoch++) {
            tasksTotal -= plan.tasks(epoch);
            recordsTotal -= plan.records(epoch);
            minibatchesTotal -= plan.minibatches(epoch);
        }
        for (PassRange part : training.dropFresh()) {
            pass(part).drop(part.range());
            tasksTotal--;
            recordsTotal -= records(part).records();
            minibatchesTotal -= plan.minibatches((int) part.pass(), part.range());
        }
        while (!epochs.isEmpty() && epochs.get(epochs.size() - 1).isEmpty()) {
            // The epoch had begun only for tasks that no worker has begun.
            epochs.remove(epochs.size() - 1);
        }
        incompleteEpochs.removeIf(
                epoch -> epoch >= epochs.size() || epochs.get(epoch).complete());
    }

    private void startEvaluation(long version) {
        int count = evaluationRanges.count();
        evaluations.put(version, new PassProgress(count));
        requestedVersions.add(version);
        evaluation.addPass(spec.evaluationType(), version, EpochOrder.dataset(count));
    }

    private void resumeEvaluation(EvaluationResumed event) {
        long version = event.modelVersion();
        int count = evaluationRanges.count();
        PassProgress pass = new PassProgress(count);
        BitSet notQueued = new BitSet();
        for (RecordRange known : event.known()) {
            int range = evaluationRanges.indexOf(known.shard(), known.start());
            for (long end = known.start();
                    end < known.end();
                    end += evaluationRanges.range(range++).records()) {
                pass.done(range);
                notQueued.set(range);
                failures.remove(new PassRange(spec.evaluationType(), version, range));
            }
        }
        for (Lease lease : leases.all()) {
            if (lease.slot.type() != TaskType.TRAINING && lease.slot.pass() == version) {
                notQueued.set(lease.slot.range());
            }
        }
        requestedVersions.add(version);
        evaluation.removePass(version);
        evaluation.addPass(
                spec.evaluationType(),
                version,
                Arrays.stream(EpochOrder.dataset(count))
                        .filter(range -> !notQueued.get(range))
                        .toArray());
        if (pass.complete()) {
            evaluations.remove(version);
        } else {
            evaluations.put(version, pass);
        }
    }

    /** Returns whether an early stop left out a range, perhaps with its whole epoch. */
    boolean isLeftOut(int epoch, int range) {
        return stopped != null && (epoch >= epochs.size() || epochs.get(epoch).isDropped(range));
    }

    private void reinstate(Reinstated event) {
        if (stopped == null) {
            throw new IllegalStateException("cannot reinstate ranges: the ledger was not stopped");
        }
        while (epochs.size() <= event.epoch()) {
            // A restarted training may have stopped far before the epoch of the push.
            PassProgress none = passOf(plan.order(epochs.size()));
            Arrays.stream(plan.order(epochs.size())).forEach(none::drop);
            epochs.add(none);
        }
        PassProgress pass = epochs.get(event.epoch());
        incompleteEpochs.add(event.epoch());
        eachRange(event.epoch(), event.ranges(), range -> {
            pass.undrop(range);
            PassRange part = new PassRange(TaskType.TRAINING, event.epoch(), range);
            attempts.merge(part, 1, Integer::sum);
            training.addReturned(part);
            tasksTotal++;
            recordsTotal += records(part).records();
            minibatchesTotal += plan.minibatches(event.epoch(), range);
        });
    }

    private void reopen(Reopened event) {
        PassProgress pass = epochs.get(event.epoch());
        incompleteEpochs.add(event.epoch());
        eachRange(event.epoch(), event.completed(), range -> {
            PassRange part = new PassRange(TaskType.TRAINING, event.epoch(), range);
            pass.undone(range);
            attempts.merge(part, 1, Integer::sum);
            training.addReturned(part);
            tasksDone--;
            recordsDone -= plan.range(event.epoch(), range).records();
        });
        event.leased().forEach(id -> leases.existing(id).doubt());
    }

    /** Calls an action with the index of each task range in joined ranges of an epoch. */
    private void eachRange(int epoch, List<RecordRange> joined, IntConsumer action) {
        for (RecordRange records : joined) {
            int range = trainingRanges.indexOf(records.shard(), records.start());
            for (long done = 0; done < records.records(); range++) {
                action.accept(range);
                done += plan.range(epoch, range).records();
            }
        }
    }

    private RecordRange records(PassRange part) {
        return part.type() == TaskType.TRAINING
                ? plan.range((int) part.pass(), part.range())
                : evaluationRanges.range(part.range());
    }

    private Task task(PassRange part) {
        TaskRanges ranges = part.type() == TaskType.TRAINING ? trainingRanges : evaluationRanges;
        RecordRange records = records(part);
        boolean trains = part.type() == TaskType.TRAINING;
        return new Task(
                nextTaskId,
                part.type(),
                trains ? (int) part.pass() : -1,
                trains ? -1 : part.pass(),
                records.shard(),
                records.start(),
                records.end(),
                spec.minibatchSize(),
                ranges.firstMinibatch(part.range()),
                ranges.minibatches(),
                attempts.getOrDefault(part, 0));
    }

    private PassProgress pass(PassRange part) {
        PassProgress pass =
                part.type() == TaskType.TRAINING ? epochs.get((int) part.pass()) : evaluations.get(part.pass());
        if (pass == null) {
            throw new IllegalStateException("no evaluation of version " + part.pass() + " is open");
        }
        return pass;
    }

    private PendingRanges queue(PassRange part) {
        return part.type() == TaskType.TRAINING ? training : evaluation;
    }

    /** Returns the queue with the next range to hand out: evaluations before training. */
    private PendingRanges queue() {
        return evaluation.size() > 0 ? evaluation : training;
    }
}
