package dev.edl.runtime.ps.servers;

import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Takes a consistent snapshot of the shards of all servers, as {@link dev.edl.runtime.ps.CutParticipant} documents.
 * Each server continues as soon as it has its copy; the copies are then transferred in parallel.
 */
final class ServerCut {
    private ServerCut() {}

    /**
     * Takes one cut.
     *
     * @param flush the longest wait for pushes that some shards have taken already
     * @throws dev.edl.runtime.ps.ShardGoneException when a shard is gone
     */
    static ShardCut take(ParallelCalls calls, ShardPort[] shards, Term term, long number, Duration flush)
            throws InterruptedException {
        try {
            Map<String, Long> last = new TreeMap<>();
            calls.all(shards, (index, shard) -> shard.beginCut(term, number))
                    .forEach(taken -> taken.forEach((worker, sequence) -> last.merge(worker, sequence, Math::max)));
            boolean all = calls.all(shards, (index, shard) -> shard.flushCut(term, number, last, flush)).stream()
                    .allMatch(Boolean::booleanValue);
            if (!all) {
                // Its worker has left or waits for a server: the next cut must not wait for this push again.
                calls.order(shards, (index, shard) -> shard.follow(term, last));
            }
            return new ShardCut(calls.all(shards, (index, shard) -> shard.saveCut(term, number)));
        } finally {
            calls.orderPresent((index, shard) -> shard.endCut(term, number));
        }
    }
}
