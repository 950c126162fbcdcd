package dev.edl.runtime.ps;

import java.util.Arrays;

/**
 * The versions of a worker's weights: for each shard its life and its number of updates.
 *
 * <p>A pull overwrites them, and a push carries them, so that each shard can compute the gradient's staleness. A worker
 * reuses one object for all minibatches. Not safe for several threads.
 */
public final class WeightVersions {
    private final ShardLife[] lives;
    private final long[] versions;

    /**
     * Creates an object without pulled versions: version 0 for each shard, of the life that no master assigned.
     *
     * @param shards at least 1
     */
    public WeightVersions(int shards) {
        this.lives = new ShardLife[shards];
        this.versions = new long[shards];
        Arrays.fill(lives, ShardLife.UNORDERED);
    }

    /** Returns the number of shards. */
    public int shards() {
        return versions.length;
    }

    /** Returns the life in which the worker's weights were pulled from a shard. */
    public ShardLife life(int shard) {
        return lives[shard];
    }

    /** Returns the version at which the worker's weights were pulled from a shard. */
    public long version(int shard) {
        return versions[shard];
    }

    /** Sets the life and version of the weights that were pulled from a shard. */
    public void set(int shard, ShardLife life, long version) {
        lives[shard] = life;
        versions[shard] = version;
    }

    /** Returns a copy of the versions, one for each shard. */
    public long[] versions() {
        return versions.clone();
    }

    /** Returns the largest of the shards' versions. */
    public long newest() {
        long newest = versions[0];
        for (long version : versions) {
            newest = Math.max(newest, version);
        }
        return newest;
    }

    /** Returns the text for people, for example {@code [12 in life 0 of term 1, 13 in life 0 of term 1]}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < versions.length; i++) {
            text.append(i == 0 ? "" : ", ").append(versions[i]).append(" in ").append(lives[i]);
        }
        return text.append("]").toString();
    }
}
