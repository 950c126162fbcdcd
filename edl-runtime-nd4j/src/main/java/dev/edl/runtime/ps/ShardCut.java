package dev.edl.runtime.ps;

import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.model.StepResultCheck;
import dev.edl.runtime.ps.rows.RowsSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Snapshots of all shards of a group, taken while no push was in progress. Immutable. */
public final class ShardCut {
    private final List<ShardSnapshot> shards;

    /**
     * Creates a cut from one snapshot of each shard.
     *
     * @param shards snapshots in the order of their ranges, at least one
     */
    public ShardCut(List<ShardSnapshot> shards) {
        this.shards = List.copyOf(shards);
    }

    /** Returns the snapshots, in the order of their ranges. */
    public List<ShardSnapshot> shards() {
        return shards;
    }

    /**
     * Returns whether all shards hold the same pushes, applied and pending. They differ after a worker died during a
     * push, or a shard was restored from an older checkpoint. They agree again once the missing minibatches are redone.
     */
    public boolean consistent() {
        return shards.stream().allMatch(shards.get(0)::agreesWith);
    }

    /**
     * Returns whether all shards hold the same pushes, but a shard has applied some that still wait for their round at
     * another shard. Such a cut is not {@linkplain #consistent() consistent}; a cut taken a moment later is.
     */
    public boolean roundsDiffer() {
        return !consistent() && shards.stream().allMatch(shards.get(0)::holdsAsMuchAs);
    }

    /** Returns the number of updates that the shards had made; the largest number if they differ. */
    public long version() {
        return shards.stream().mapToLong(ShardSnapshot::version).max().orElseThrow();
    }

    /** Returns whether all shards have kept a version as the best one. */
    public boolean keeps(long version) {
        return shards.stream().allMatch(shard -> shard.kept().stream().anyMatch(kept -> kept.version() == version));
    }

    /** Returns the number of floats of the whole model's parameters. */
    public int size() {
        return shards.get(shards.size() - 1).range().end();
    }

    /** Returns a copy of the whole model's parameters. */
    public float[] weights() {
        float[] full = new float[size()];
        shards.forEach(shard -> shard.copyTo(full));
        return full;
    }

    /** Returns the whole model, including the rows of embedding tables. */
    public ModelSnapshot model() {
        return ModelSnapshot.ofShards(
                version(), weights(), shards.stream().map(ShardSnapshot::rows).toList());
    }

    /** Returns the embedding tables, in the order of the model's tables. */
    public List<TableSnapshot> tables() {
        return TableSnapshot.of(shards);
    }

    /** Returns a phrase for the first parameter element that is not finite; empty when all are finite. */
    public Optional<String> firstBad(ParameterLayout layout) {
        return firstNonFinite().isPresent()
                ? Optional.of(StepResultCheck.firstBad(layout, weights()))
                : firstNonFiniteRow().map(row -> row + " is not finite");
    }

    /**
     * Returns the first row of an embedding table that holds NaN or an infinity, for example {@code row 17 of
     * fm/vectors}. Returns empty if all rows are finite. Reads every row once.
     */
    public Optional<String> firstNonFiniteRow() {
        for (ShardSnapshot shard : shards) {
            for (RowsSnapshot rows : shard.rows()) {
                OptionalLong id = rows.firstNonFinite();
                if (id.isPresent()) {
                    return Optional.of(
                            "row " + id.getAsLong() + " of " + rows.spec().name());
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the index of the first parameter in the flat vector that is NaN or infinite; empty if all are finite.
     * Finite gradients can cause such a parameter: a step that is too large overflows the weight. Reads every parameter
     * once.
     */
    public OptionalInt firstNonFinite() {
        for (ShardSnapshot shard : shards) {
            float[] weights = shard.weights();
            for (int i = 0; i < weights.length; i++) {
                if (!Float.isFinite(weights[i])) {
                    return OptionalInt.of(shard.range().offset() + i);
                }
            }
        }
        return OptionalInt.empty();
    }

    /** Returns the text for people, for example {@code version 12 of 2 shards, consistent}. */
    @Override
    public String toString() {
        return "version " + version() + " of " + shards.size() + " shards, "
                + (consistent() ? "consistent" : "inconsistent");
    }
}
