package dev.edl.runtime.ps.internal;

import dev.edl.runtime.ps.ShardCut;
import java.time.Duration;

/** Number of attempts and bounds of a cut through all shards. */
public final class CutRetry {
    /** The longest wait for pushes that some shards have taken already. */
    public static final Duration FLUSH = Duration.ofSeconds(5);

    /** A round may end before the cut at one shard and after it at another; the next attempt finds it ended at both. */
    public static final int TRIES = 3;

    private CutRetry() {}

    /** Takes one cut. */
    @FunctionalInterface
    public interface Cut {
        ShardCut take(long number) throws InterruptedException;
    }

    /**
     * Takes a cut, and repeats it while rounds differ.
     *
     * @param number of the cut; this number and the next two are used
     */
    public static ShardCut take(long number, Cut once) throws InterruptedException {
        ShardCut cut = once.take(number);
        for (int i = 1; i < TRIES && cut.roundsDiffer(); i++) {
            cut = once.take(number + i);
        }
        return cut;
    }
}
