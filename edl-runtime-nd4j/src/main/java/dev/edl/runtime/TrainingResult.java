package dev.edl.runtime;

import dev.edl.runtime.internal.text.SignificantDigits;
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
 * @param steps the last model version: updates that were applied, in all runs of the training
 * @param metrics the evaluation of {@link #model()}, metric name to value; empty without validation data
 * @param curve how this run came to it, in the order of time: at most 1,000 points, evenly spread over a longer run. A step comes twice when
 *     a parameter server came back older. A master that is a process of its own and takes over knows the points since then
 * @param ledgerProof how often each record was completed, folded from the ledger's events
 * @param shards the final state of every parameter shard
 * @param pushesExpected minibatches that were trained, in all runs: what each shard must have applied, each once
 * @param took from the start of this run to its end
 * @param records records that were trained, of all epochs and in all runs
 * @param checkpoint the final checkpoint, when checkpoints are kept
 * @param export the exported model, when one is written
 * @param model the parameters that the training has come to: those of the last version, or of the best one with
 *     {@link EarlyStop#restoreBest}
 * @param stopped why the training was stopped before its time, if it was
 * @param resumed what was done before this run, when it went on from a checkpoint
 * @param reproduce how to run it again, as lines of text: the command if {@link TrainingBuilder#command} named it, the seed, the
 *     settings, the job, and how equal the numbers will be
 */
public record TrainingResult(
        long steps,
        Map<String, Double> metrics,
        List<CurvePoint> curve,
        LedgerProof ledgerProof,
        List<ShardSnapshot> shards,
        long pushesExpected,
        Duration took,
        long records,
        Optional<Path> checkpoint,
        Optional<Path> export,
        TrainedModel model,
        Optional<String> stopped,
        Optional<Resumption> resumed,
        String reproduce) {
    /** Copies the collections. */
    public TrainingResult {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        curve = List.copyOf(curve);
        shards = List.copyOf(shards);
    }

    /**
     * Whether each record was applied exactly once in each epoch: the ledger's history says so, and so does each shard's
     * own set of applied pushes. In an epoch that {@link TrainingBuilder#maxSteps} or a stop cuts short: each record that
     * was handed out exactly once, and no other.
     */
    public boolean exactlyOnce() {
        return ledgerProof.holds() && shards.stream().allMatch(s -> s.appliedCount() == pushesExpected);
    }

    /** The embedding tables of {@link #model()}. */
    public List<TableSnapshot> tables() {
        return model.tables();
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

    /** From the start of the first run to the end of this one, without what was lost between a checkpoint and a resume. */
    public Duration tookInAll() {
        return took.plus(resumed.map(Resumption::took).orElse(Duration.ZERO));
    }

    /** Records trained in a second, over this run. */
    public double recordsPerSecond() {
        return (records - resumed.map(Resumption::records).orElse(0L)) / Math.max(1e-9, took.toNanos() / 1e9);
    }

    /**
     * Returns one line: <code>version 1200, {accuracy=0.961111, loss=0.31}, 1,437 records in 2.1 s, each applied exactly once</code>.
     */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "version %d, %s, %,d records in %.1f s, %s",
                steps,
                metrics.isEmpty() ? "not evaluated" : SignificantDigits.of(metrics),
                records,
                took.toNanos() / 1e9,
                exactlyOnce() ? "each applied exactly once" : "NOT each applied exactly once");
    }
}
