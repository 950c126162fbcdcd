package dev.edl.runtime.ps.shard;

import dev.edl.runtime.ps.ShardBestVersion;
import dev.edl.runtime.ps.rows.RowsSnapshot;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Copies of a shard's weights, and snapshots of its rows, at chosen versions. An evaluation reads one version while
 * training goes on.
 *
 * <p>A copy is held for an evaluation, kept as the best version, or free. At most {@code keep} copies exist in
 * addition to the kept copies. A new copy replaces the oldest free one. If all are held, the new version is not pinned. Used under the
 * shard's lock.
 */
final class PinnedCopies {
    private int every = Integer.MAX_VALUE;
    private int keep = 1;
    private final TreeMap<Long, Pin> pins = new TreeMap<>();

    /** Sets the step: from now on, versions that are multiples of it are pinned. Existing pins stay. */
    void every(int newEvery, int newKeep) {
        if (newEvery < 1 || newKeep < 1) {
            throw new IllegalArgumentException(
                    "pins need a step and a number to keep of at least 1, was " + newEvery + " and " + newKeep);
        }
        every = newEvery;
        keep = newKeep;
    }

    /**
     * PinnedCopies the parameters if the version is a multiple of the step and not all allowed copies are held. Returns whether
     * it pinned them.
     */
    boolean offer(long version, ShardParameters parameters) {
        if (version % every != 0) {
            return false;
        }
        if (pins.values().stream().filter(pin -> !pin.kept).count() >= keep && !dropOldest()) {
            return false;
        }
        put(version, parameters);
        return true;
    }

    /** Holds the current parameters under a version number. Replaces an earlier pin of that number. */
    void now(long version, ShardParameters parameters) {
        put(version, parameters).held = true;
    }

    private Pin put(long version, ShardParameters parameters) {
        Pin pin = new Pin(parameters.weights(), parameters.rows());
        pins.put(version, pin);
        return pin;
    }

    private boolean dropOldest() {
        for (Iterator<Pin> i = pins.values().iterator(); i.hasNext(); ) {
            if (i.next().free()) {
                i.remove();
                return true;
            }
        }
        return false;
    }

    /** Drops the free copies of versions above the given one, because another shard was restored to an older state. */
    void dropFreeAbove(long version) {
        pins.tailMap(version, false).values().removeIf(Pin::free);
    }

    boolean has(long version) {
        return pins.containsKey(version);
    }

    NavigableSet<Long> versions() {
        return new TreeSet<>(pins.keySet());
    }

    boolean hold(long version) {
        Pin pin = pins.get(version);
        if (pin != null) {
            pin.held = true;
        }
        return pin != null;
    }

    /** Keeps a held copy as the best one. Refuses a free copy, which may differ from the evaluated parameters. */
    boolean keep(long version) {
        Pin pin = pins.get(version);
        boolean needed = pin != null && !pin.free();
        if (pin != null && needed) {
            pin.kept = true;
        }
        return needed;
    }

    boolean isNeeded(long version) {
        Pin pin = pins.get(version);
        return pin != null && !pin.free();
    }

    /** Releases a version that an evaluation held. */
    void release(long version) {
        pins.computeIfPresent(version, (number, pin) -> {
            pin.held = false;
            return pin.kept ? pin : null;
        });
    }

    /** Keeps only one version as the best. Versions that an evaluation holds stay. */
    void keepOnly(long version) {
        pins.entrySet().removeIf(entry -> {
            Pin pin = entry.getValue();
            boolean was = pin.kept;
            pin.kept &= entry.getKey() == version;
            return was && !pin.kept && !pin.held;
        });
    }

    boolean copy(long version, float[] into, int offset) {
        Pin pin = pins.get(version);
        if (pin != null) {
            System.arraycopy(pin.weights, 0, into, offset, pin.weights.length);
        }
        return pin != null;
    }

    /** Returns the rows of a pinned version; none if it is not pinned. */
    List<RowsSnapshot> rows(long version) {
        Pin pin = pins.get(version);
        return pin == null ? List.of() : pin.rows;
    }

    boolean remove(long version) {
        return pins.remove(version) != null;
    }

    /** Returns the versions kept as the best one, which go into a checkpoint. */
    List<ShardBestVersion> kept() {
        return pins.entrySet().stream()
                .filter(entry -> entry.getValue().kept)
                .map(PinnedCopies::kept)
                .toList();
    }

    private static ShardBestVersion kept(Map.Entry<Long, Pin> entry) {
        return new ShardBestVersion(entry.getKey(), entry.getValue().weights, entry.getValue().rows);
    }

    /** Replaces all pins by versions that a checkpoint kept as the best one. */
    void restore(List<ShardBestVersion> kept) {
        pins.clear();
        for (ShardBestVersion version : kept) {
            Pin pin = new Pin(version.weights(), version.rows());
            pin.kept = true;
            pins.put(version.version(), pin);
        }
    }

    private static final class Pin {
        final float[] weights;
        final List<RowsSnapshot> rows;
        boolean held;
        boolean kept;

        Pin(float[] weights, List<RowsSnapshot> rows) {
            this.weights = weights;
            this.rows = rows;
        }

        boolean free() {
            return !held && !kept;
        }
    }
}
