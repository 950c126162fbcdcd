package dev.edl.runtime.ps;

import dev.edl.runtime.ps.internal.RowsSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Snapshots of all shards of a group, taken while no push was under way. Immutable. */
public final class ShardCut {
    private final List<ShardSnapshot> shards;

    /**
     * Makes a cut of snapshots.
     *
     * @param shards in the order of their ranges, at least one
     */
    public ShardCut(List<ShardSnapshot> shards) {
        this.shards = List.copyOf(shards);
    }

    /** The snapshots, in the order of their ranges. */
    public List<ShardSnapshot> shards() {
        return shards;
    }

    /**
     * Whether all shards hold the same pushes, applied and pending alike. They do not after a push reached only some of
     * them (its worker died) or after one of them came back from an older checkpoint, until those minibatches are redone.
     */
    public boolean consistent() {
        return shards.stream().allMatch(shards.get(0)::agreesWith);
    }

    /**
     * Whether all shards hold the same pushes, and some shard has applied what waits for its round at another one. Such a cut
     * is not {@linkplain #consistent() consistent}; one that is taken a moment later is.
     */
    public boolean roundsDiffer() {
        return !consistent() && shards.stream().allMatch(shards.get(0)::holdsAsMuchAs);
    }

    /** Updates made; of shards that differ, the most. */
    public long version() {
        return shards.stream().mapToLong(ShardSnapshot::version).max().orElseThrow();
    }

    /** Whether all shards have kept a version as the best one. */
    public boolean keeps(long version) {
        return shards.stream().allMatch(shard -> shard.kept().stream().anyMatch(kept -> kept.version() == version));
    }

    /** Floats of the whole model's parameters. */
    public int size() {
        return shards.get(shards.size() - 1).range().end();
    }

    /** A copy of the whole model's parameters. */
    public float[] weights() {
        float[] full = new float[size()];
        shards.forEach(shard -> shard.copyTo(full));
        return full;
    }

    /** The whole model, rows of embedding tables included. */
    public ModelSnapshot model() {
        return ModelSnapshot.ofShards(
                version(), weights(), shards.stream().map(ShardSnapshot::rows).toList());
    }

    /** The embedding tables, in the order of the model's. */
    public List<TableSnapshot> tables() {
        return TableSnapshot.of(shards);
    }

    /**
     * Where the first row of an embedding table stands that holds NaN or an infinity, for example {@code row 17 of
     * fm/vectors}; empty when all rows are finite. Looks at every row once.
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
     * The place of the first parameter in the flat vector that is NaN or infinite; empty when all are finite. Finite
     * gradients can bring one about: a step that is too large overflows the weight. Looks at every parameter once.
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

    /** For example {@code version 12 of 2 shards, consistent}. */
    @Override
    public String toString() {
        return "version " + version() + " of " + shards.size() + " shards, "
                + (consistent() ? "consistent" : "inconsistent");
    }
}
