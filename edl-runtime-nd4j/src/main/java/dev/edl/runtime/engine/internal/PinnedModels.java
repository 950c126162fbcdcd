package dev.edl.runtime.engine.internal;

import dev.edl.runtime.engine.decisions.BestVersion;
import dev.edl.runtime.engine.decisions.Decisions;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ports.ShardsControl;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The pinned versions that a master needs, with a copy of each for the workers of its JVM, and the pins that it no longer needs.
 * Safe for several threads.
 */
public final class PinnedModels {
    private static final long NONE = -1;

    private final ShardsControl shards;
    private final Map<Long, ModelSnapshot> models = new ConcurrentHashMap<>();
    private final Set<Long> unneeded = ConcurrentHashMap.newKeySet();

    public PinnedModels(ShardsControl shards) {
        this.shards = shards;
    }

    /** Holds a version that all shards have pinned, and returns a copy; empty when some shard has not. */
    public synchronized Optional<ModelSnapshot> hold(long version) throws InterruptedException {
        unneeded.remove(version);
        return shards.hold(version) ? shards.pinned(version) : Optional.empty();
    }

    /** A version is needed, whose model is this. */
    public synchronized void need(long version, ModelSnapshot model) {
        unneeded.remove(version);
        models.put(version, model);
    }

    /** A version was held for nothing, unless it is needed. */
    public synchronized void release(long version) {
        unneeded.add(version);
    }

    /** A version is needed no longer. */
    public synchronized void forget(long version) {
        models.remove(version);
        unneeded.add(version);
    }

    public boolean needs(long version) {
        return models.containsKey(version);
    }

    /** Returns the model of a version; empty when it is not needed. */
    public Optional<ModelSnapshot> model(long version) {
        return Optional.ofNullable(models.get(version));
    }

    /** Drops the pins that are not needed. */
    public synchronized void drop() throws InterruptedException {
        for (long version : new HashSet<>(unneeded)) {
            if (!models.containsKey(version)) {
                shards.release(version);
            }
            unneeded.remove(version);
        }
    }

    /** Drops the pins of earlier masters that no decision needs: other best versions, and evaluations that have ended. */
    public synchronized void dropOthers(Decisions decisions) throws InterruptedException {
        shards.keepOnly(decisions.best().map(BestVersion::version).orElse(NONE));
        for (long version : shards.pins()) {
            if (decisions.wasAsked(version)) {
                release(version);
            }
        }
        drop();
    }
}
