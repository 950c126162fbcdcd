package dev.edl.runtime.ps;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells of versions that all shards of a group have pinned: shards report from inside the group's gate, the listener
 * is called outside of it, so that it may use the group.
 */
final class PinAnnouncer {
    private final ConcurrentLinkedQueue<Long> reached = new ConcurrentLinkedQueue<>();
    private @Nullable Order order;

    /** Makes all shards pin; inside the gate's write lock. */
    void begin(int every, int keep, LongConsumer listener, ParameterShard[] shards) {
        synchronized (this) {
            order = new Order(every, keep, listener, new AtomicReferenceArray<>(shards));
        }
        for (int i = 0; i < shards.length; i++) {
            follow(i, shards[i]);
        }
    }

    /** Makes a shard that takes another one's place pin as that one did. */
    void follow(int index, ParameterShard shard) {
        Order current;
        synchronized (this) {
            current = order;
        }
        if (current != null) {
            current.shards.set(index, shard);
            shard.pinEvery(current.every, current.keep, reached::add);
        }
    }

    /** Tells what was reported since; outside of all locks. */
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
        if (current == null || version <= current.told || !current.allPinned(version)) {
            return null;
        }
        current.told = version;
        return current.listener;
    }

    private static final class Order {
        final int every;
        final int keep;
        final LongConsumer listener;
        final AtomicReferenceArray<ParameterShard> shards;
        long told;

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
