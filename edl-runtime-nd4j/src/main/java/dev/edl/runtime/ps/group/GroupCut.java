package dev.edl.runtime.ps.group;

import dev.edl.runtime.ps.CutParticipant;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.internal.CutRetry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Takes a consistent snapshot of all shards of a group without a global lock: hold, flush, save
 * ({@link CutParticipant}).
 *
 * <p>Pushes to a shard wait while the pushes in flight finish and that shard is copied. Large shards are copied in
 * parallel. Memory for the copies is allocated before any push is blocked. If a push does not arrive within
 * {@link CutRetry#FLUSH}, the cut is {@linkplain ShardCut#consistent() inconsistent}.
 */
final class GroupCut {
    /** Minimum number of floats of a shard from which the shards are copied in parallel. */
    private static final int LARGE = 1 << 18;

    private GroupCut() {}

    /**
     * Takes a cut.
     *
     * @param number of the cut; this number and the next two are used
     * @throws dev.edl.runtime.ps.ShardGoneException when a shard was detached meanwhile
     */
    static ShardCut take(ParameterShard[] shards, long number) throws InterruptedException {
        return take(shards, number, CutRetry.FLUSH);
    }

    /**
     * Takes a cut as {@link #take(ParameterShard[], long)} does, with the given longest wait for the pushes in flight.
     */
    static ShardCut take(ParameterShard[] shards, long number, Duration flush) throws InterruptedException {
        return CutRetry.take(number, next -> once(shards, next, flush));
    }

    private static ShardCut once(ParameterShard[] shards, long number, Duration flush) throws InterruptedException {
        List<CutParticipant> participant =
                Arrays.stream(shards).map(ParameterShard::cuts).toList();
        List<CutParticipant.Room> rooms =
                participant.stream().map(CutParticipant::room).toList();
        try {
            Map<String, Long> last = new TreeMap<>();
            for (CutParticipant shard : participant) {
                shard.hold(number).forEach((worker, sequence) -> last.merge(worker, sequence, Math::max));
            }
            boolean all = true;
            long end = System.nanoTime() + flush.toNanos();
            for (CutParticipant shard : participant) {
                all &= shard.flushTo(number, last, Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            }
            if (!all) {
                // Its worker has left or waits for a server: the next cut must not wait for this push again.
                participant.forEach(shard -> shard.follow(last));
            }
            boolean large = shards.length > 1 && shards[0].range().length() >= LARGE;
            IntStream each = IntStream.range(0, shards.length);
            ShardSnapshot[] saved = new ShardSnapshot[shards.length];
            (large ? each.parallel() : each)
                    .forEach(i -> saved[i] = participant.get(i).save(number, rooms.get(i)));
            return new ShardCut(List.of(saved));
        } finally {
            participant.forEach(shard -> shard.go(number));
        }
    }
}
