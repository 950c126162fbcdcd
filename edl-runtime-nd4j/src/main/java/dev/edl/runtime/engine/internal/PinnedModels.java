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
 * Pinned model versions that a master needs, each with a copy of the model for its workers, and the versions whose pins
 * it no longer needs. Thread-safe.
 */
public final class PinnedModels {
    private static final long NONE = -1;

    private final ShardsControl shards;
    private final Map<Long, ModelSnapshot> models = new ConcurrentHashMap<>();
    private final Set<Long> unneeded = ConcurrentHashMap.newKeySet();

    public PinnedModels(ShardsControl shards) {
        this.shards = shards;
    }

    /** Requests the shards to keep the pins of a version, and returns its model; empty if some shard has not pinned it. */
    public synchronized Optional<ModelSnapshot> hold(long version) throws InterruptedException {
        unneeded.remove(version);
        return shards.hold(version) ? shards.pinned(version) : Optional.empty();
    }

    /** Marks a version as needed and stores its model. */
    public synchronized void need(long version, ModelSnapshot model) {
        unneeded.remove(version);
        models.put(version, model);
    }

    /** Marks the pins of a held version for {@link #drop}, which keeps them if the version is needed. */
    public synchronized void release(long version) {
        unneeded.add(version);
    }

    /** Marks a version as no longer needed and discards its model; {@link #drop} drops its pins. */
    public synchronized void forget(long version) {
        models.remove(version);
        unneeded.add(version);
    }

    public boolean needs(long version) {
        return models.containsKey(version);
    }

    /** Returns the model of a version; empty if it is not needed. */
    public Optional<ModelSnapshot> model(long version) {
        return Optional.ofNullable(models.get(version));
    }

    /** Drops the pins that were marked by {@link #release} or {@link #forget} and are not needed. */
    public synchronized void drop() throws InterruptedException {
        for (long version : new HashSet<>(unneeded)) {
            if (!models.containsKey(version)) {
                shards.release(version);
            }
            unneeded.remove(version);
        }
    }

    /** Drops pins of earlier masters: all best versions but the decided one, and the versions of ended evaluations. */
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
