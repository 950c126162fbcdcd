package dev.edl.runtime;

import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.TableSnapshot;
import dev.edl.runtime.task.LedgerProof;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a training that succeeded has come to.
 *
 * @param steps the final model version: updates that were applied
 * @param metrics the evaluation of the final model, metric name to value; empty without validation data
 * @param ledgerProof how often each record was completed, folded from the ledger's events
 * @param shards the final state of every parameter shard
 * @param pushesExpected minibatches of all epochs: what each shard must have applied, each once
 * @param took from the start of the run to its end
 * @param records records of all epochs
 * @param checkpoint the final checkpoint, when checkpoints are kept
 * @param export the exported model, when one is written
 */
public record TrainingResult(
        long steps,
        Map<String, Double> metrics,
        LedgerProof ledgerProof,
        List<ShardSnapshot> shards,
        long pushesExpected,
        Duration took,
        long records,
        Optional<Path> checkpoint,
        Optional<Path> export) {
    /** Copies the collections. */
    public TrainingResult {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        shards = List.copyOf(shards);
    }

    /**
     * Whether each record was applied exactly once in each epoch: the ledger's history says so, and so does each shard's
     * own set of applied pushes.
     */
    public boolean exactlyOnce() {
        return ledgerProof.holds() && shards.stream().allMatch(s -> s.appliedCount() == pushesExpected);
    }

    /** The trained embedding tables, in the order of the model's. */
    public List<TableSnapshot> tables() {
        return TableSnapshot.of(shards);
    }

    /** Two lines: what the ledger proves, what the shards prove. */
    public String proof() {
        StringBuilder text = new StringBuilder(ledgerProof.toString()).append('\n');
        for (int i = 0; i < shards.size(); i++) {
            ShardSnapshot shard = shards.get(i);
            text.append(String.format(
                    Locale.ROOT,
                    "%s%s holds %,d of %,d pushes, each once",
                    i == 0 ? "" : "; ",
                    shard.range().name(),
                    shard.appliedCount(),
                    pushesExpected));
        }
        return text.toString();
    }

    /** Records trained in a second, over the whole run. */
    public double recordsPerSecond() {
        return records / Math.max(1e-9, took.toNanos() / 1e9);
    }

    static TrainingResult of(
            Training training,
            TrainingStore store,
            ShardCut cut,
            LedgerProof proof,
            Map<String, Double> metrics,
            Duration took) {
        long pushes = (long) store.ledgerSpec().pushIds().minibatchesPerEpoch() * training.epochs();
        return new TrainingResult(
                cut.version(),
                metrics,
                proof,
                cut.shards(),
                pushes,
                took,
                training.data().records() * training.epochs(),
                store.newestCheckpoint(),
                training.export());
    }
}
