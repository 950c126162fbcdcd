package dev.edl.runtime.ps.internal;

import dev.edl.runtime.ps.ShardCut;
import java.time.Duration;

/** How often a cut through all shards is tried, and how long it waits. */
public final class CutRetry {
    /** The longest wait for pushes that some shards have taken already. */
    public static final Duration FLUSH = Duration.ofSeconds(5);

    /** A round may end at one shard before the cut and at another behind it; the next try finds it over at both. */
    public static final int TRIES = 3;

    private CutRetry() {}

    /** Takes one cut. */
    @FunctionalInterface
    public interface Cut {
        ShardCut take(long number) throws InterruptedException;
    }

    /**
     * Takes a cut, and takes it again while rounds differ.
     *
     * @param number of the cut; it and the two behind it are used
     */
    public static ShardCut take(long number, Cut once) throws InterruptedException {
        ShardCut cut = once.take(number);
        for (int i = 1; i < TRIES && cut.roundsDiffer(); i++) {
            cut = once.take(number + i);
        }
        return cut;
    }
}
