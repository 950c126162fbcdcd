package dev.edl.runtime.ps;

import dev.edl.runtime.EmbeddingRows;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** What a group says to all of its shards for a worker, and an observer who hears it; inside the group's gate. */
final class ShardCalls {
    /** Based on weights that no shard has: the one that they were pulled from was replaced by an older state. */
    private static final long LOST = Long.MAX_VALUE;

    private static final PushResult[] NONE = {};

    private final ShardLink link;
    private final AtomicLongArray replaced;
    private final Map<String, long[]> pulledFrom = new ConcurrentHashMap<>();
    private volatile @Nullable GroupObserver observer;

    ShardCalls(ShardLink link, int shards) {
        this.link = link;
        this.replaced = new AtomicLongArray(shards);
    }

    /** From now on tells an observer; each shard as well, those that come later when they come. */
    void observe(GroupObserver next, List<ParameterShard> shards) {
        if (observer != null) {
            throw new IllegalStateException("the group is observed already; each run needs a group of its own");
        }
        observer = next;
        shards.forEach(shard -> shard.observe(next.shard(shard.range())));
    }

    /** A shard goes on from another state than the one that workers may have pulled from it. */
    void replaced(int index) {
        replaced.incrementAndGet(index);
    }

    /** A shard has taken its place. */
    void attached(ParameterShard shard) {
        replaced(shard.range().index());
        GroupObserver told = observer;
        if (told != null) {
            shard.observe(told.shard(shard.range()));
        }
    }

    /** Begins with one shard and goes on with those behind it, so that workers do not queue for the first. */
    long[] pull(int turn, ParameterShard[] shards, ParameterSink into, List<EmbeddingRows> rows, long[] versions) {
        for (int n = 0; n < shards.length; n++) {
            int i = (n + turn) % shards.length;
            versions[i] = link.pull(shards[i], into, rows);
        }
        return versions;
    }

    /**
     * Pulls for a worker, and remembers which states of the shards its weights are of. Versions alone do not tell: a
     * shard that came back older counts up to the same ones again, with other weights.
     */
    long[] pull(Member worker, ParameterShard[] shards, ParameterSink into, List<EmbeddingRows> rows, long[] versions) {
        long[] from = pulledFrom.computeIfAbsent(worker.name(), name -> new long[shards.length]);
        for (int i = 0; i < from.length; i++) {
            from[i] = replaced.get(i);
        }
        return pull(worker.turn(), shards, into, rows, versions);
    }

    /** Whether somebody wants to see what workers pull. */
    boolean observed() {
        return observer != null;
    }

    void pulled(String worker, long[] versions, float[] weights) {
        GroupObserver told = observer;
        if (told != null) {
            told.pulled(worker, versions, weights);
        }
    }

    /** Pushes to every shard, beginning with one of its own for each worker, so that they do not queue for the first. */
    PushResult push(
            ParameterShard[] shards,
            Member worker,
            long pushId,
            long[] basedOn,
            float[] gradient,
            List<EmbeddingRows> rows) {
        GroupObserver told = observer;
        if (told != null) {
            told.pushing(worker.name(), pushId, basedOn, gradient, rows);
        }
        long[] from = pulledFrom.get(worker.name());
        // Steady updates allocate nothing but for an observer.
        PushResult[] results = told == null ? NONE : new PushResult[shards.length];
        PushResult.Outcome outcome = PushResult.Outcome.DUPLICATE;
        long version = 0;
        for (int n = 0; n < shards.length; n++) {
            int i = (n + worker.turn()) % shards.length;
            long based = from == null || from[i] == replaced.get(i) ? basedOn[i] : LOST;
            PushResult result = link.push(shards[i], worker.name(), pushId, based, gradient, rows);
            outcome = outcome.and(result.outcome());
            version = Math.max(version, result.version());
            if (told != null) {
                results[i] = result;
            }
        }
        PushResult all = new PushResult(outcome, version);
        if (told != null) {
            told.pushed(worker.name(), pushId, List.of(results), all);
        }
        return all;
    }

    /** Whether a worker was told that its push is applied, as it is. */
    boolean awaited(String worker, long pushId, boolean applied) {
        GroupObserver told = observer;
        if (told != null) {
            told.awaited(worker, pushId, applied);
        }
        return applied;
    }

    /** The first of some pushes that a shard does not hold. */
    long resumeAt(ParameterShard[] shards, long first, int count) {
        int held = count;
        for (ParameterShard shard : shards) {
            held = Math.min(held, link.held(shard, first, held));
        }
        long id = first + held;
        GroupObserver told = observer;
        if (told != null) {
            told.confirmed(first, id);
        }
        return id;
    }
}
