package dev.edl.runtime.task;

import dev.edl.runtime.task.Leases.Lease;
import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.EpochStarted;
import dev.edl.runtime.task.LedgerEvent.EvaluationQueued;
import dev.edl.runtime.task.LedgerEvent.Failed;
import dev.edl.runtime.task.LedgerEvent.GivenBack;
import dev.edl.runtime.task.LedgerEvent.Leased;
import dev.edl.runtime.task.LedgerEvent.Recovered;
import dev.edl.runtime.task.LedgerEvent.Reopened;
import dev.edl.runtime.task.LedgerEvent.Touched;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the events so far amount to. Only {@link #apply} changes it; it decides nothing.
 *
 * <p>The invariant: each range of each pass that has begun is queued once, or leased once, or done.
 */
class LedgerState {
    final LedgerSpec spec;
    final Ranges trainingRanges;
    final Ranges evaluationRanges;
    final Leases leases = new Leases();
    private final WorkQueue training = new WorkQueue();
    private final WorkQueue evaluation = new WorkQueue();
    private final List<Pass> epochs = new ArrayList<>();
    private final TreeSet<Integer> incompleteEpochs = new TreeSet<>();
    private final Map<Long, Pass> evaluations = new HashMap<>();
    private final Set<Long> versionsAsked = new HashSet<>();
    private final Map<Slot, Integer> attempts = new HashMap<>();
    private final Map<Slot, Integer> failures = new HashMap<>();
    private int nextTaskId = 1;
    private long tasksDone;
    private long recordsDone;
    private long retries;
    private long recovered;
    private @Nullable String failure;

    LedgerState(LedgerSpec spec) {
        this.spec = spec;
        this.trainingRanges = Ranges.training(spec);
        this.evaluationRanges = Ranges.evaluation(spec);
    }

    @Nullable
    String failure() {
        return failure;
    }

    int epochsBegun() {
        return epochs.size();
    }

    boolean trainingComplete() {
        return epochs.size() == spec.epochs() && incompleteEpochs.isEmpty();
    }

    boolean evaluating() {
        return !evaluations.isEmpty();
    }

    boolean evaluating(long version) {
        return evaluations.containsKey(version);
    }

    boolean asked(long version) {
        return versionsAsked.contains(version);
    }

    boolean isDone(int epoch, int range) {
        return epochs.get(epoch).isDone(range);
    }

    /** The task that a worker would get now, evaluation before training; null when nothing is queued. */
    @Nullable
    Task head() {
        Slot slot = queue().peek();
        return slot == null ? null : task(slot);
    }

    LedgerProgress progress() {
        return new LedgerProgress(
                incompleteEpochs.isEmpty() ? epochs.size() : incompleteEpochs.first(),
                spec.epochs(),
                tasksDone,
                (long) trainingRanges.count() * spec.epochs(),
                recordsDone,
                Math.multiplyExact(spec.trainingRecords(), spec.epochs()),
                leases.size(),
                training.size() + evaluation.size(),
                evaluations.size(),
                retries,
                recovered);
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
        } else if (event instanceof Failed failed) {
            fail(release(failed.task()), failed.message());
        } else if (event instanceof EpochStarted started) {
            startEpoch(started.epoch());
        } else if (event instanceof EvaluationQueued queued) {
            startEvaluation(queued.modelVersion());
        } else if (event instanceof Reopened reopened) {
            reopen(reopened);
        }
        // A LateReport is counted by the proof; to the state it is nothing.
    }

    /** A task came back without blame: it is next in line. */
    void comeBack(Slot slot) {
        attempts.merge(slot, 1, Integer::sum);
        queue(slot).addFirst(slot);
    }

    void complete(Slot slot) {
        failures.remove(slot);
        Pass pass = pass(slot);
        pass.done(slot.range());
        if (slot.type() == TaskType.EVALUATION) {
            attempts.remove(slot);
            if (pass.complete()) {
                evaluations.remove(slot.pass());
            }
            return;
        }
        tasksDone++;
        recordsDone += trainingRanges.range(slot.range()).records();
        if (pass.complete()) {
            incompleteEpochs.remove((int) slot.pass());
        }
    }

    private void fail(Slot slot, String message) {
        attempts.merge(slot, 1, Integer::sum);
        int count = failures.merge(slot, 1, Integer::sum);
        queue(slot).addLast(slot);
        if (count >= spec.maxTaskFailures() && failure == null) {
            failure = ranges(slot).range(slot.range())
                    + (slot.type() == TaskType.TRAINING ? " of epoch " : " at version ") + slot.pass() + " failed "
                    + (count == 1 ? "once" : count + " times") + ", maxTaskFailures is " + spec.maxTaskFailures()
                    + "; last error: " + message;
        }
    }

    private void lease(Leased event) {
        WorkQueue queue = queue();
        Slot slot = queue.peek();
        Task due = slot == null ? null : task(slot);
        if (slot == null || !event.task().equals(due)) {
            throw new IllegalStateException("it hands out " + event.task() + ", but next is " + due);
        }
        queue.remove();
        leases.add(new Lease(event.task(), slot, event.worker(), event.at()));
        nextTaskId = Math.addExact(nextTaskId, 1);
        if (event.task().attempt() > 0) {
            retries++;
        }
    }

    private Slot release(Task task) {
        Lease lease = leases.remove(task.id());
        if (!lease.task.equals(task)) {
            throw new IllegalStateException("it ends " + task + ", but out is " + lease.task);
        }
        return lease.slot;
    }

    private void startEpoch(int epoch) {
        if (epoch != epochs.size()) {
            throw new IllegalStateException("it starts epoch " + epoch + ", but next is " + epochs.size());
        }
        int count = trainingRanges.count();
        epochs.add(new Pass(count));
        incompleteEpochs.add(epoch);
        training.addPass(
                TaskType.TRAINING,
                epoch,
                spec.shuffle() ? EpochOrder.shuffled(count, spec.seed(), epoch) : EpochOrder.dataset(count));
    }

    private void startEvaluation(long version) {
        int count = evaluationRanges.count();
        evaluations.put(version, new Pass(count));
        versionsAsked.add(version);
        evaluation.addPass(TaskType.EVALUATION, version, EpochOrder.dataset(count));
    }

    private void reopen(Reopened event) {
        Pass pass = epochs.get(event.epoch());
        incompleteEpochs.add(event.epoch());
        for (RecordRange completed : event.completed()) {
            int range = trainingRanges.indexOf(completed.shard(), completed.start());
            for (long done = 0; done < completed.records(); range++) {
                Slot slot = new Slot(TaskType.TRAINING, event.epoch(), range);
                pass.undone(range);
                attempts.merge(slot, 1, Integer::sum);
                training.addReturned(slot);
                long records = trainingRanges.range(range).records();
                tasksDone--;
                recordsDone -= records;
                done += records;
            }
        }
        event.leased().forEach(id -> leases.existing(id).doubt());
    }

    private Task task(Slot slot) {
        Ranges ranges = ranges(slot);
        RecordRange records = ranges.range(slot.range());
        boolean trains = slot.type() == TaskType.TRAINING;
        return new Task(
                nextTaskId,
                slot.type(),
                trains ? (int) slot.pass() : -1,
                trains ? -1 : slot.pass(),
                records.shard(),
                records.start(),
                records.end(),
                spec.minibatchSize(),
                ranges.firstMinibatch(slot.range()),
                ranges.minibatches(),
                attempts.getOrDefault(slot, 0));
    }

    private Pass pass(Slot slot) {
        Pass pass = slot.type() == TaskType.TRAINING ? epochs.get((int) slot.pass()) : evaluations.get(slot.pass());
        if (pass == null) {
            throw new IllegalStateException("no evaluation of version " + slot.pass() + " is open");
        }
        return pass;
    }

    private Ranges ranges(Slot slot) {
        return slot.type() == TaskType.TRAINING ? trainingRanges : evaluationRanges;
    }

    private WorkQueue queue(Slot slot) {
        return slot.type() == TaskType.TRAINING ? training : evaluation;
    }

    /** The queue whose turn it is. */
    private WorkQueue queue() {
        return evaluation.size() > 0 ? evaluation : training;
    }
}
