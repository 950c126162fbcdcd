package dev.edl.runtime.ps.group;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.CheckedShards;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.ps.ports.ShardsPort;
import java.time.Duration;
import java.util.List;

/**
 * Passes a worker's calls and their results to the group's observer. Because it wraps all code between a worker and its
 * shards, a fault there shows as a difference between this observer's events and the shards' observers' events.
 */
final class ObservedShards implements ShardsPort {
    private final LocalShards group;
    private final GroupObserver observer;
    private final String worker;
    private final ShardsPort shards;

    ObservedShards(LocalShards group, GroupObserver observer, String worker, ShardsPort shards) {
        this.group = group;
        this.observer = observer;
        this.worker = worker;
        this.shards = shards;
    }

    @Override
    public int count() {
        return shards.count();
    }

    @Override
    public int missing() {
        return shards.missing();
    }

    @Override
    public boolean observed() {
        return true;
    }

    @Override
    public void pull(ParameterSink into, List<EmbeddingRows> rows, WeightVersions base) throws InterruptedException {
        shards.pull(into, rows, base);
    }

    @Override
    public void pull(float[] into, List<EmbeddingRows> rows, WeightVersions base) throws InterruptedException {
        shards.pull(into, rows, base);
        observer.pulled(worker, base.versions(), into);
    }

    @Override
    public PushResult push(long pushId, WeightVersions base, float[] gradient, List<EmbeddingRows> rows)
            throws InterruptedException {
        CheckedShards.requirePush(group.contents(), group.count(), base, gradient, rows);
        observer.pushing(worker, pushId, base.versions(), gradient, rows);
        PushResult told = shards.push(pushId, base, gradient, rows);
        observer.pushed(worker, pushId, shards.answers(), told);
        return told;
    }

    @Override
    public List<PushResult> answers() {
        return shards.answers();
    }

    @Override
    public boolean awaitRound(long pushId, Duration bound) throws InterruptedException {
        boolean applied = shards.awaitRound(pushId, bound);
        observer.awaited(worker, pushId, applied);
        return applied;
    }

    /** Does not notify the observer: the shards' group does so with each confirmation. */
    @Override
    public long resumeAt(long firstPushId, int count) throws InterruptedException {
        return shards.resumeAt(firstPushId, count);
    }

    /** Returns the text for people, for example {@code worker-3 of 2 shards, 4 members}. */
    @Override
    public String toString() {
        return shards.toString();
    }
}
