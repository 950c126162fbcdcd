package dev.edl.runtime.ps.group;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/** The workers of a group by name, with versions as plain numbers. A worker that has never pulled is up to date. */
public final class Workers {
    private static final Map<TestShards, Workers> ALL = new WeakHashMap<>();

    private final TestShards group;
    private final Map<String, ShardsPort> ports = new ConcurrentHashMap<>();
    private final Map<String, WeightVersions> pulled = new ConcurrentHashMap<>();

    private Between between = (worker, port) -> port;

    /** A layer between a worker and its shards. */
    @FunctionalInterface
    public interface Between {
        ShardsPort port(String worker, ShardsPort shards);
    }

    private Workers(TestShards group) {
        this.group = group;
    }

    /** Returns the workers of a group, each time the same. */
    public static Workers of(TestShards group) {
        synchronized (ALL) {
            return ALL.computeIfAbsent(group, Workers::new);
        }
    }

    /**
     * Inserts a layer between each worker, as the group's observer sees it, and its shards; call it before the first
     * call.
     */
    public void between(Between next) {
        between = next;
    }

    public void pull(float[] into, long[] versions) throws InterruptedException {
        pull(into, List.of(), versions);
    }

    public void pull(float[] into, List<EmbeddingRows> rows, long[] versions) throws InterruptedException {
        WeightVersions base = new WeightVersions(versions.length);
        ShardsPort reader = port("reader");
        if (into.length == group.size()) {
            // An observer does not see it.
            reader.pull(ParameterSink.into(into), rows, base);
        } else {
            reader.pull(into, rows, base);
        }
        copy(base, versions);
    }

    public void pull(String worker, float[] into, List<EmbeddingRows> rows, long[] versions)
            throws InterruptedException {
        WeightVersions base = new WeightVersions(versions.length);
        port(worker).pull(into, rows, base);
        pulled.put(worker, base);
        copy(base, versions);
    }

    public void pull(String worker, ParameterSink into, List<EmbeddingRows> rows, long[] versions)
            throws InterruptedException {
        WeightVersions base = new WeightVersions(versions.length);
        port(worker).pull(into, rows, base);
        pulled.put(worker, base);
        copy(base, versions);
    }

    public PushResult push(String worker, long pushId, long[] versions, float[] gradient) throws InterruptedException {
        return push(worker, pushId, versions, gradient, List.of());
    }

    public PushResult push(String worker, long pushId, long[] versions, float[] gradient, List<EmbeddingRows> rows)
            throws InterruptedException {
        WeightVersions base = new WeightVersions(versions.length);
        WeightVersions last = pulled.get(worker);
        for (int i = 0; i < versions.length; i++) {
            int shard = i;
            base.set(
                    i,
                    last == null ? group.shard(i).map(ParameterShard::life).orElse(base.life(shard)) : last.life(i),
                    versions[i]);
        }
        return port(worker).push(pushId, base, gradient, rows);
    }

    public boolean awaitRound(String worker, long pushId, Duration bound) throws InterruptedException {
        return port(worker).awaitRound(pushId, bound);
    }

    public long resumeAt(String worker, long firstPushId, int count) throws InterruptedException {
        return port(worker).resumeAt(firstPushId, count);
    }

    private ShardsPort port(String worker) {
        return ports.computeIfAbsent(worker, name -> group.observed(name, between.port(name, group.unobserved(name))));
    }

    private static void copy(WeightVersions base, long[] versions) {
        System.arraycopy(base.versions(), 0, versions, 0, versions.length);
    }
}
