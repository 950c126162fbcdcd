package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ps.ShardSnapshot;
import java.io.IOException;

/** Saved state of one shard, independent of where it is stored. */
public interface SavedShard {
    /**
     * Reads the state.
     *
     * @throws IOException if the state cannot be read
     */
    ShardSnapshot read() throws IOException;

    /** Returns text for people, for example {@code version 500}. */
    @Override
    String toString();
}
