package dev.edl.runtime.task;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.task.LedgerEvent.Completed;
import dev.edl.runtime.task.LedgerEvent.EvaluationQueued;
import dev.edl.runtime.task.LedgerEvent.Failed;
import dev.edl.runtime.task.LedgerEvent.LateReport;
import dev.edl.runtime.task.LedgerEvent.Recovered;
import dev.edl.runtime.task.LedgerEvent.Reopened;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Adds up events to a proof. It shares nothing with the ledger's state, not even how shards are cut: it looks at the
 * records that completions name and counts them.
 */
final class ProofFold {
    private final LedgerSpec spec;
    private final Line training;
    private final Line evaluation;
    private final Map<Integer, IntervalCounts> epochs = new HashMap<>();
    private final TreeMap<Long, IntervalCounts> evaluations = new TreeMap<>();
    private long recovered;
    private long late;
    private long failed;
    private long reopened;

    /** The records of all shards on one line, one shard behind the other. */
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

        private void count(IntervalCounts counts, RecordRange range, int delta) {
            Long first = start.get(range.shard());
            if (first == null || range.end() > size.getOrDefault(range.shard(), 0L)) {
                throw new IllegalArgumentException("the history names records that the spec has not: " + range);
            }
            counts.add(first + range.start(), first + range.end(), delta);
        }
    }

    ProofFold(LedgerSpec spec) {
        this.spec = spec;
        this.training = new Line(spec.trainingShards());
        this.evaluation = new Line(spec.evaluationShards());
    }

    void accept(LedgerEvent event) {
        if (event instanceof Completed completed) {
            Task task = completed.task();
            if (task.type() == TaskType.TRAINING) {
                training.count(epoch(task.epoch()), task.range(), 1);
            } else {
                evaluation.count(evaluation(task.modelVersion()), task.range(), 1);
            }
        } else if (event instanceof Reopened back) {
            reopened++;
            back.completed().forEach(range -> training.count(epoch(back.epoch()), range, -1));
        } else if (event instanceof EvaluationQueued queued) {
            evaluation(queued.modelVersion());
        } else if (event instanceof Recovered) {
            recovered++;
        } else if (event instanceof Failed) {
            failed++;
        } else if (event instanceof LateReport) {
            late++;
        }
    }

    private IntervalCounts epoch(int epoch) {
        return epochs.computeIfAbsent(epoch, e -> new IntervalCounts());
    }

    private IntervalCounts evaluation(long version) {
        return evaluations.computeIfAbsent(version, v -> new IntervalCounts());
    }

    LedgerProof proof() {
        List<Coverage> trained = new ArrayList<>();
        for (int e = 0; e < spec.epochs(); e++) {
            trained.add(
                    epochs.getOrDefault(e, new IntervalCounts()).over(TaskType.TRAINING, e, spec.trainingRecords()));
        }
        List<Coverage> evaluated = new ArrayList<>();
        evaluations.forEach((version, counts) ->
                evaluated.add(counts.over(TaskType.EVALUATION, version, spec.evaluationRecords())));
        return new LedgerProof(spec.trainingRecords(), trained, evaluated, recovered, late, failed, reopened);
    }
}
