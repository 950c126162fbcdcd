package dev.edl.runtime.ps.group;

import dev.edl.runtime.ps.ShardCut;
import java.time.Duration;

/** Number of attempts and bounds of a cut through all shards. */
final class CutRetry {
    /** The longest wait for pushes that some shards have taken already. */
    static final Duration FLUSH = Duration.ofSeconds(5);

    /**
     * Maximum number of attempts. A round may end before the cut at one shard and after it at another; at the next
     * attempt it has ended at both.
     */
    static final int TRIES = 3;

    private CutRetry() {}

    /** Takes one cut. */
    @FunctionalInterface
    interface Cut {
        ShardCut take(long number) throws InterruptedException;
    }

    /**
     * Takes a cut, and repeats it, at most {@link #TRIES} times in all, while {@link ShardCut#roundsDiffer()}.
     *
     * @param number number of the first attempt's cut; each further attempt uses the next number
     */
    static ShardCut take(long number, Cut once) throws InterruptedException {
        ShardCut cut = once.take(number);
        for (int i = 1; i < TRIES && cut.roundsDiffer(); i++) {
            cut = once.take(number + i);
        }
        return cut;
    }
}
