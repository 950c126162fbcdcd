package dev.edl.runtime.ps;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Copies of a shard's weights, and snapshots of its rows, at chosen versions, so that an evaluation sees one version while training goes on.
 *
 * <p>At most {@code keep} copies exist. A new one takes the place of the oldest that nobody holds; when all are held,
 * the new version is not pinned. Under the shard's lock.
 */
final class Pins {
    private final int every;
    private final int keep;
    private final TreeMap<Long, Pin> pins = new TreeMap<>();

    Pins(int every, int keep) {
        if (every < 1 || keep < 1) {
            throw new IllegalArgumentException(
                    "pins need a step and a number to keep of at least 1, was " + every + " and " + keep);
        }
        this.every = every;
        this.keep = keep;
    }

    /** Keeps the parameters when the version is a multiple of the step; whether it did. */
    boolean offer(long version, ShardParameters parameters) {
        if (version % every != 0 || (pins.size() == keep && !dropOldest())) {
            return false;
        }
        pins.put(version, new Pin(parameters.weights(), parameters.rows()));
        return true;
    }

    private boolean dropOldest() {
        for (Iterator<Map.Entry<Long, Pin>> i = pins.entrySet().iterator(); i.hasNext(); ) {
            if (!i.next().getValue().held) {
                i.remove();
                return true;
            }
        }
        return false;
    }

    boolean has(long version) {
        return pins.containsKey(version);
    }

    boolean hold(long version) {
        Pin pin = pins.get(version);
        if (pin != null) {
            pin.held = true;
        }
        return pin != null;
    }

    boolean copy(long version, float[] into, int offset) {
        Pin pin = pins.get(version);
        if (pin != null) {
            System.arraycopy(pin.weights, 0, into, offset, pin.weights.length);
        }
        return pin != null;
    }

    /** The rows of a pinned version; none when it is not pinned. */
    List<RowsSnapshot> rows(long version) {
        Pin pin = pins.get(version);
        return pin == null ? List.of() : pin.rows;
    }

    boolean remove(long version) {
        return pins.remove(version) != null;
    }

    private static final class Pin {
        final float[] weights;
        final List<RowsSnapshot> rows;
        boolean held;

        Pin(float[] weights, List<RowsSnapshot> rows) {
            this.weights = weights;
            this.rows = rows;
        }
    }
}
