package dev.edl.runtime.ps;

/** Thrown when the called parameter shard was detached from its group; the caller waits for its successor. */
public final class ShardGoneException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception of one shard.
     *
     * @param shard its name, for example {@code ps-1}
     */
    public ShardGoneException(String shard) {
        super("parameter shard " + shard + " was detached");
    }
}
