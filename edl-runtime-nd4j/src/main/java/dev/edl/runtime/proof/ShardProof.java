package dev.edl.runtime.proof;

/**
 * Count of the pushes that a parameter shard has applied, each once.
 *
 * @param shard name of the shard, for example {@code ps-1}
 * @param version the number of updates that the shard has made
 * @param applied the number of different pushes in these updates
 */
public record ShardProof(String shard, long version, long applied) {}
