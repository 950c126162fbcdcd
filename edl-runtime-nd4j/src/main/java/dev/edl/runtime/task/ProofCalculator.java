package dev.edl.runtime.task;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.proof.RecordCoverage;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.task.LedgerEvent.BegunAnew;
import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.EvaluationLost;
import dev.edl.runtime.task.LedgerEvent.EvaluationQueued;
import dev.edl.runtime.task.LedgerEvent.EvaluationResumed;
import dev.edl.runtime.task.LedgerEvent.Failed;
import dev.edl.runtime.task.LedgerEvent.LateReport;
import dev.edl.runtime.task.LedgerEvent.Leased;
import dev.edl.runtime.task.LedgerEvent.Rebuilt;
import dev.edl.runtime.task.LedgerEvent.Recalled;
import dev.edl.runtime.task.LedgerEvent.Recovered;
import dev.edl.runtime.task.LedgerEvent.Reinstated;
import dev.edl.runtime.task.LedgerEvent.Reopened;
import dev.edl.runtime.task.LedgerEvent.Resumed;
import dev.edl.runtime.task.LedgerEvent.ResumedEpoch;
import dev.edl.runtime.task.LedgerEvent.Stopped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes a proof from events. It shares no code or state with the ledger, not even the division of shards: it counts
 * the records that completions name.
 */
public final class ProofCalculator {
    private final LedgerSpec spec;
    private final Line training;
    private final Line evaluation;
    private final Map<Integer, IntervalCounter> epochs = new HashMap<>();
    private final TreeMap<Long, IntervalCounter> evaluations = new TreeMap<>();
    private long recovered;
    private long late;
    private long failed;
    private long reopened;
    private long minibatches;
    private long resumed;
    private LedgerProof.Origin origin = LedgerProof.Origin.HISTORY;
    private @Nullable String stopped;
    /** By epoch: the number of records that were handed out. A training that stops early must complete them. */
    private final TreeMap<Integer, Long> begun = new TreeMap<>();

    /** Maps each record of all shards to a unique number: shard after shard, counted from 0. */
    private static final class Line {
        private final Map<String, Long> start = new HashMap<>();
        private final Map<String, Long> size = new HashMap<>();

        private Line(List<DataShard> shards) {
            long at = 0;
            for (DataShard shard : shards) {
                start.put(shard.name(), at);
                size.put(shard.name(), shard.records());
                at += shard.records();
            }
        }

        private void count(IntervalCounter counts, RecordRange range, int delta) {
            Long first = start.get(range.shard());
            if (first == null || range.end() > size.getOrDefault(range.shard(), 0L)) {
                throw new IllegalArgumentException("the history names records that the spec does not have: " + range);
            }
            counts.add(first + range.start(), first + range.end(), delta);
        }
    }

    /**
     * Returns the proof of a history of events.
     *
     * @throws IllegalArgumentException if the history names records that the spec does not have
     */
    public static LedgerProof of(LedgerSpec spec, Iterable<? extends LedgerEvent> history) {
        ProofCalculator fold = new ProofCalculator(spec);
        history.forEach(fold::accept);
        return fold.proof();
    }

    ProofCalculator(LedgerSpec spec) {
        this.spec = spec;
        this.training = new Line(spec.trainingShards());
        this.evaluation = new Line(spec.evaluationShards());
    }

    void accept(LedgerEvent event) {
        if (event instanceof Leased leased) {
            Task task = leased.task();
            begun(task, task.records());
        } else if (event instanceof Recalled unbegun) {
            begun(unbegun.task(), -unbegun.task().records());
        } else if (event instanceof Completed completed) {
            Task task = completed.task();
            if (task.type() == TaskType.TRAINING) {
                count(task.epoch(), task.range(), 1);
            } else {
                evaluation.count(evaluation(task.modelVersion()), task.range(), 1);
            }
        } else if (event instanceof Reopened back) {
            reopened++;
            back.completed().forEach(range -> count(back.epoch(), range, -1));
        } else if (event instanceof Resumed from) {
            for (int e = 0; e < from.epochs().size(); e++) {
                resumed(e, from.epochs().get(e));
            }
        } else if (event instanceof Stopped stop) {
            stopped = stop.reason();
        } else if (event instanceof EvaluationQueued queued) {
            // A repeated request restarts the evaluation.
            evaluations.put(queued.modelVersion(), new IntervalCounter());
        } else if (event instanceof EvaluationResumed known) {
            IntervalCounter counts = new IntervalCounter();
            known.known().forEach(range -> evaluation.count(counts, range, 1));
            evaluations.put(known.modelVersion(), counts);
        } else if (event instanceof EvaluationLost lost) {
            evaluations.remove(lost.modelVersion());
        } else if (event instanceof Reinstated due) {
            due.ranges().forEach(range -> begun.merge(due.epoch(), range.records(), Long::sum));
        } else if (event instanceof Rebuilt) {
            origin = LedgerProof.Origin.SHARDS;
        } else if (event instanceof BegunAnew) {
            origin = LedgerProof.Origin.ANEW;
        } else if (event instanceof Recovered) {
            recovered++;
        } else if (event instanceof Failed) {
            failed++;
        } else if (event instanceof LateReport) {
            late++;
        }
    }

    /**
     * Adds to the number of records handed out in a training task's epoch; an epoch whose number is 0 has not begun.
     *
     * @param records number of records; negative for a recalled task
     */
    private void begun(Task task, long records) {
        if (task.type() == TaskType.TRAINING && task.attempt() == 0) {
            begun.merge(task.epoch(), records, (before, more) -> before + more == 0 ? null : before + more);
        }
    }

    private void count(int epoch, RecordRange range, int delta) {
        training.count(epoch(epoch), range, delta);
        long size = spec.minibatchSize();
        minibatches += delta * (range.records() / size + (range.records() % size == 0 ? 0 : 1));
    }

    private void resumed(int epoch, ResumedEpoch held) {
        begun.put(epoch, 0L);
        held.completed().forEach(range -> {
            count(epoch, range, 1);
            begun.merge(epoch, range.records(), Long::sum);
            resumed += range.records();
        });
        held.begun().forEach(range -> begun.merge(epoch, range.records(), Long::sum));
    }

    private IntervalCounter epoch(int epoch) {
        return epochs.computeIfAbsent(epoch, e -> new IntervalCounter());
    }

    private IntervalCounter evaluation(long version) {
        return evaluations.computeIfAbsent(version, v -> new IntervalCounter());
    }

    LedgerProof proof() {
        List<RecordCoverage> trained = new ArrayList<>();
        long perEpoch = spec.trainingShards().stream()
                .mapToLong(shard -> (shard.records() + spec.minibatchSize() - 1) / spec.minibatchSize())
                .sum();
        long whole = spec.trainingShards().isEmpty() ? 0 : spec.epochs() * perEpoch;
        long bound = spec.maxMinibatches();
        boolean bounded = bound > 0 && bound < whole;
        int complete = bounded ? Math.toIntExact(bound / perEpoch) : whole == 0 ? 0 : spec.epochs();
        int listed = stopped == null
                ? complete + (bounded && bound % perEpoch > 0 ? 1 : 0)
                : begun.isEmpty() ? 0 : begun.lastKey() + 1;
        for (int e = 0; e < listed; e++) {
            long records = e < complete && stopped == null ? spec.trainingRecords() : begun.getOrDefault(e, 0L);
            trained.add(epochs.getOrDefault(e, new IntervalCounter()).over(TaskType.TRAINING, e, records));
        }
        List<RecordCoverage> evaluated = new ArrayList<>();
        evaluations.forEach((version, counts) ->
                evaluated.add(counts.over(spec.evaluationType(), version, spec.evaluationRecords())));
        return new LedgerProof(
                spec.trainingRecords(),
                trained,
                evaluated,
                recovered,
                late,
                failed,
                reopened,
                resumed,
                minibatches,
                stopped != null ? minibatches : bounded ? bound : whole,
                Optional.ofNullable(stopped),
                origin);
    }
}
