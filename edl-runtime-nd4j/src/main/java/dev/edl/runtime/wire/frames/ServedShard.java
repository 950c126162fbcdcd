package dev.edl.runtime.wire.frames;

import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.wire.auth.Handshake;
import java.util.List;

/**
 * The shard that a server serves, and the job to which it belongs.
 *
 * @param run name of the run, which the server proves to workers
 * @param index index of the shard, from 0
 * @param shards number of shards of the model
 * @param contents contents of all shards of the model
 * @param tables the model's embedding tables, in order
 * @param handshake authentication by the job's token
 */
public record ServedShard(
        String run, int index, int shards, ShardContents contents, List<EmbeddingTable> tables, Handshake handshake) {
    /** Copies the list. */
    public ServedShard {
        tables = List.copyOf(tables);
    }

    ShardFrameLayout layout() {
        return new ShardFrameLayout(contents.split(shards).get(index), shards, contents, tables);
    }
}
