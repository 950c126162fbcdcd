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
 * Copies all shards of a group at one moment, without a lock over all of them: hold, flush, save, go ({@link CutParticipant}).
 *
 * <p>Workers stop for as long as it takes to finish the pushes under way and to copy the shards, which is done in parallel for
 * large ones. Room for the copies is made before that. A push that does not arrive within {@link CutRetry#FLUSH} leaves the cut
 * {@linkplain ShardCut#consistent() inconsistent}.
 */
final class GroupCut {
    /** Floats of a shard from which on a thread of its own pays for its copy. */
    private static final int LARGE = 1 << 18;

    private GroupCut() {}

    /**
     * Takes a cut.
     *
     * @param number of the cut; it and the two behind it are used
     * @throws dev.edl.runtime.ps.ShardGoneException when a shard was detached meanwhile
     */
    static ShardCut take(ParameterShard[] shards, long number) throws InterruptedException {
        return take(shards, number, CutRetry.FLUSH);
    }

    /** As {@link #take(ParameterShard[], long)}, with another bound for the pushes under way. */
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
                // Its worker is gone or waits for a server: the next cut does not wait for it again.
                participant.forEach(shard -> shard.follow(last));
            }
            boolean large = shards.length > 1 && shards[0].range().length() >= LARGE;
            IntStream each = IntStream.range(0, shards.length);
            ShardSnapshot[] saved = new ShardSnapshot[shards.length];
            (large ? each.parallel() : each)
                    .forEach(i -> saved[i] = participant.get(i).save(rooms.get(i)));
            return new ShardCut(List.of(saved));
        } finally {
            participant.forEach(shard -> shard.go(number));
        }
    }
}
