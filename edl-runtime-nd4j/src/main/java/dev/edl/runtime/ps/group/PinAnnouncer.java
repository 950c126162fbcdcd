package dev.edl.runtime.ps.group;

import dev.edl.runtime.ps.ParameterShard;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Announces versions that all shards of a group have pinned. Shards report under their own locks; the listener is
 * called outside all locks, so that it may use the group.
 */
final class PinAnnouncer {
    private final ConcurrentLinkedQueue<Long> reached = new ConcurrentLinkedQueue<>();
    private @Nullable Order order;
    private long told;

    /** Makes all shards pin every {@code every}-th version. Replaces an earlier request; one caller at a time. */
    void begin(int every, int keep, LongConsumer listener, ParameterShard[] shards) {
        synchronized (this) {
            order = new Order(every, keep, listener, new AtomicReferenceArray<>(shards));
        }
        for (ParameterShard shard : shards) {
            shard.pins().every(every, keep, reached::add);
        }
    }

    /**
     * Makes a newly attached shard pin as its predecessor did, and drops the other shards' free pins above its version.
     */
    void follow(int index, ParameterShard shard) {
        Order current;
        synchronized (this) {
            current = order;
            // Versions above are made again with other parameters, so the other shards' copies are invalid.
            told = Math.min(told, shard.version());
        }
        if (current == null) {
            return;
        }
        for (int i = 0; i < current.shards.length(); i++) {
            if (i != index) {
                current.shards.get(i).pins().dropFreeAbove(shard.version());
            }
        }
        current.shards.set(index, shard);
        shard.pins().every(current.every, current.keep, reached::add);
    }

    /** Announces the versions that all shards have reported since the last call; the caller must hold no lock. */
    void tell() {
        for (Long version = reached.poll(); version != null; version = reached.poll()) {
            LongConsumer listener = listenerFor(version);
            if (listener != null) {
                listener.accept(version);
            }
        }
    }

    private synchronized @Nullable LongConsumer listenerFor(long version) {
        Order current = order;
        if (current == null || version <= told || !current.allPinned(version)) {
            return null;
        }
        told = version;
        return current.listener;
    }

    private static final class Order {
        final int every;
        final int keep;
        final LongConsumer listener;
        final AtomicReferenceArray<ParameterShard> shards;

        Order(int every, int keep, LongConsumer listener, AtomicReferenceArray<ParameterShard> shards) {
            this.every = every;
            this.keep = keep;
            this.listener = listener;
            this.shards = shards;
        }

        boolean allPinned(long version) {
            for (int i = 0; i < shards.length(); i++) {
                if (!shards.get(i).pins().has(version)) {
                    return false;
                }
            }
            return true;
        }
    }
}
