package dev.edl.runtime.wire.frames;

import dev.edl.runtime.EmbeddingTable;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.wire.auth.Handshake;
import java.time.Duration;
import java.util.List;

/**
 * A worker that calls the servers of all shards, and its job.
 *
 * @param run the run's name, which servers must have too
 * @param worker its name
 * @param contents of all shards
 * @param tables the model's embedding tables, in order
 * @param patience the longest wait for an absent shard
 * @param handshake with the job's token
 */
public record ShardClientConfig(
        String run,
        String worker,
        ShardContents contents,
        List<EmbeddingTable> tables,
        Duration patience,
        Handshake handshake) {
    /** Copies the list. */
    public ShardClientConfig {
        tables = List.copyOf(tables);
    }
}
