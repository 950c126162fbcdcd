package dev.edl.runtime;

import dev.edl.runtime.internal.text.SignificantDigits;
import dev.edl.runtime.model.EmbeddingValues;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.proof.ShardProof;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Result of a training that succeeded.
 *
 * @param steps the last model version: the number of applied updates in all runs of the training
 * @param metrics the evaluation of {@link #model()}, metric name to value; empty without validation data
 * @param curve the course of this run over time: at most 1,000 points, evenly spread over a longer run. A step occurs
 *     twice if a parameter server lost updates. A master process that takes over has only the points since then
 * @param ledgerProof how often each record was completed, folded from the ledger's events
 * @param shards the pushes that every parameter shard has applied in the end
 * @param pushesExpected minibatches trained in all runs; each shard must have applied each of them once
 * @param took duration of this run, see {@link #tookInAll} for that of all runs
 * @param records records trained, of all epochs and in all runs
 * @param checkpoint the final checkpoint; empty without a checkpoint directory
 * @param export the exported model; empty without an export
 * @param model the resulting parameters: those of the last version, or of the best one with
 *     {@link EarlyStop#restoreBest}
 * @param stopped the reason why the training was stopped early; empty if it was not
 * @param resumed the work of the earlier runs; empty if this run did not resume
 * @param reproduce how to run this training again, as lines of text: the command if {@link TrainingBuilder#command} set
 *     it, the seed, the settings, the job, and how equal the numbers will be
 */
public record TrainingResult(
        long steps,
        Map<String, Double> metrics,
        List<CurvePoint> curve,
        LedgerProof ledgerProof,
        List<ShardProof> shards,
        long pushesExpected,
        Duration took,
        long records,
        Optional<Path> checkpoint,
        Optional<Path> export,
        TrainedModel model,
        Optional<String> stopped,
        Optional<ResumedProgress> resumed,
        String reproduce) {
    /** Words of {@link #proof()} before a shard's version, which it has only if the versions differ. */
    public static final String AT_VERSION = " at version ";

    /** Copies the collections. */
    public TrainingResult {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        curve = List.copyOf(curve);
        shards = List.copyOf(shards);
    }

    /**
     * Returns whether each record was applied exactly once in each epoch.
     *
     * <p>The ledger's history, each shard's own set of applied pushes and its count of gradients must agree. In an epoch
     * that {@link TrainingBuilder#maxSteps} or a stop shortens, each assigned record was applied exactly once and no
     * other.
     */
    public boolean exactlyOnce() {
        return ledgerProof.holds() && shards.stream().allMatch(shard -> shard.holds(pushesExpected));
    }

    /** Returns the embedding tables of {@link #model()}. */
    public List<EmbeddingValues> tables() {
        return model.tables();
    }

    /**
     * Returns two lines: the proof of the ledger and the proof of the shards. It has the shards' versions if they differ.
     * Without rounds, that is a lost update; a round may have other members after a shard was restored.
     */
    public String proof() {
        return ledgerProof + "\n" + proof(shards, pushesExpected);
    }

    static String proof(List<ShardProof> shards, long pushesExpected) {
        boolean differ =
                shards.stream().mapToLong(ShardProof::version).distinct().count() > 1;
        return shards.stream()
                .map(shard -> String.format(
                        Locale.ROOT,
                        "%s holds %,d of %,d pushes, %s%s",
                        shard.shard(),
                        shard.applied(),
                        pushesExpected,
                        shard.gradients() == shard.applied()
                                ? "each once"
                                : String.format(Locale.ROOT, "by %,d gradients", shard.gradients()),
                        differ ? AT_VERSION + shard.version() : ""))
                .collect(Collectors.joining("; "));
    }

    /** Returns the duration of all runs, without the work that was lost between a checkpoint and a resume. */
    public Duration tookInAll() {
        return took.plus(resumed.map(ResumedProgress::took).orElse(Duration.ZERO));
    }

    /** Returns the records trained per second in this run. */
    public double recordsPerSecond() {
        return (records - resumed.map(ResumedProgress::records).orElse(0L)) / Math.max(1e-9, took.toNanos() / 1e9);
    }

    /**
     * Returns one line: <code>version 1200, {accuracy=0.961111, loss=0.31}, 1,437 records in 2.1 s, each applied
     * exactly once</code>.
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
