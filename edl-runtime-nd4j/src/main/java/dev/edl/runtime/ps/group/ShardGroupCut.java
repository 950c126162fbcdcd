package dev.edl.runtime.ps.group;

import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.SnapshotTransfer;
import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One consistent snapshot of all shards, as {@link dev.edl.runtime.ps.shard.CutParticipant} documents. Each shard admits pushes
 * as soon as it has its copy; copies of other processes are then transferred in parallel.
 *
 * <p>Used by one thread: {@link #copy}, then {@link #await}. Closing it drops every transfer that is not complete.
 */
final class ShardGroupCut implements AutoCloseable {
    private final ParallelShardCalls calls;
    private final ShardPort[] shards;
    private final Term term;
    private final long number;
    private final boolean large;
    /** Also has the transfers of a copy that failed at another shard. */
    private final Queue<SnapshotTransfer> begun = new ConcurrentLinkedQueue<>();

    private List<SnapshotTransfer> transfers = List.of();

    /**
     * Creates a cut that has not begun.
     *
     * @param large whether the copies of several shards in this JVM are made in parallel
     */
    ShardGroupCut(ParallelShardCalls calls, ShardPort[] shards, Term term, long number, boolean large) {
        this.calls = calls;
        this.shards = shards;
        this.term = term;
        this.number = number;
        this.large = large;
    }

    /**
     * Copies all shards. Members and pins must not change meanwhile.
     *
     * @param flush the longest wait for pushes that some shards have taken already
     * @throws dev.edl.runtime.ps.ShardGoneException when a shard is gone
     */
    void copy(Duration flush) throws InterruptedException {
        boolean copied = false;
        try {
            // Before any shard blocks pushes.
            for (ShardPort shard : shards) {
                shard.prepareCut(term, number);
            }
            Map<String, Long> last = new TreeMap<>();
            calls.all(shards, (index, shard) -> shard.beginCut(term, number))
                    .forEach(taken -> taken.forEach((worker, sequence) -> last.merge(worker, sequence, Math::max)));
            for (ShardPort shard : shards) {
                if (shard.here()) {
                    // Admits, without a wait: while the caller waits for one shard, a push may still be on its way to
                    // another.
                    shard.flushCut(term, number, last, Duration.ZERO);
                }
            }
            long end = System.nanoTime() + flush.toNanos();
            boolean all = calls.all(shards, (index, shard) -> shard.flushCut(term, number, last, until(end))).stream()
                    .allMatch(Boolean::booleanValue);
            if (!all) {
                // Its worker has left or waits for a server: the next cut must not wait for this push again.
                calls.order(shards, (index, shard) -> shard.follow(term, last));
            }
            transfers = calls.all(
                    shards,
                    (index, shard) -> {
                        SnapshotTransfer transfer = shard.saveCut(term, number);
                        begun.add(transfer);
                        return transfer;
                    },
                    large);
            copied = true;
        } finally {
            if (!copied) {
                calls.orderPresent((index, shard) -> shard.endCut(term, number));
            }
        }
    }

    private static Duration until(long nanos) {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    /**
     * Waits for the transfers, and returns the copies. Shards may change meanwhile.
     *
     * @throws dev.edl.runtime.ps.ShardGoneException when a copy does not arrive completely
     */
    ShardCut await() throws InterruptedException {
        return new ShardCut(
                calls.all(shards, (index, shard) -> transfers.get(index).await()));
    }

    @Override
    public void close() {
        begun.forEach(SnapshotTransfer::close);
    }
}
