package dev.edl.runtime.wire.frames;

import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.bounds.TimerService;
import java.time.Duration;
import java.util.List;

/**
 * Configuration of a worker's clients of all shards.
 *
 * @param run name of the run; servers of another run fail to authenticate
 * @param worker name of the worker
 * @param contents contents of all shards of the model
 * @param tables the model's embedding tables, in order
 * @param patience the longest wait for an absent shard
 * @param handshake authentication by the job's token
 * @param timers timers of the connections' bounds
 */
public record ShardClientConfig(
        String run,
        String worker,
        ShardContents contents,
        List<EmbeddingTable> tables,
        Duration patience,
        Handshake handshake,
        TimerService timers) {
    /** Copies the list. */
    public ShardClientConfig {
        tables = List.copyOf(tables);
    }
}
