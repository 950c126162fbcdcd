package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ps.ShardSnapshot;
import java.io.IOException;

/** A saved state of one shard, wherever it is. */
public interface SavedShard {
    /**
     * Reads the state.
     *
     * @throws IOException when it cannot be read
     */
    ShardSnapshot read() throws IOException;

    /** Returns the text for people, for example {@code version 500}. */
    @Override
    String toString();
}
