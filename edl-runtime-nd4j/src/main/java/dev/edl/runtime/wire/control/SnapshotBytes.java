package dev.edl.runtime.wire.control;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ShardSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Serialization of models and shards' states. Reading verifies the bytes. Safe for several threads. */
public interface SnapshotBytes {
    /** Writes the state of a shard. */
    void write(ShardSnapshot shard, OutputStream to) throws IOException;

    /** Reads the state of a shard. */
    ShardSnapshot readShard(InputStream from) throws IOException;

    /** Writes the pushes that a shard holds. */
    void write(ShardPushes pushes, OutputStream to) throws IOException;

    /** Reads the pushes that a shard holds. */
    ShardPushes readPushes(InputStream from) throws IOException;

    /** Writes the parameters of a shard at a pinned version. */
    void write(PinnedShard shard, OutputStream to) throws IOException;

    /** Reads the parameters of a shard at a pinned version. */
    PinnedShard readPinned(InputStream from) throws IOException;

    /** Writes a model. */
    void write(ModelSnapshot model, OutputStream to) throws IOException;

    /** Reads a model. */
    ModelSnapshot readModel(InputStream from) throws IOException;
}
