package dev.edl.runtime.ps.group;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the versions that shards report as pinned, and notifies a listener of each version that all shards have
 * reported. An executor calls the listener without locks, so that it may use the shards. Safe for several threads.
 */
final class PinReportCollector {
    private static final System.Logger LOG = System.getLogger(PinReportCollector.class.getName());

    /** Pin settings of all shards. */
    record Order(int every, int keep, LongConsumer listener) {}

    private final Executor announcer;
    /** For each shard, the reported versions above the last announced one. */
    private final List<NavigableSet<Long>> reported = new ArrayList<>();
    /**
     * Number of shards attached to each slot so far, by which late reports of an earlier shard are recognized and
     * ignored.
     */
    private final int[] holders;

    private @Nullable Order order;
    private long told;

    /**
     * Creates an empty collection.
     *
     * @param announcer executor that calls the listener
     */
    PinReportCollector(int shards, Executor announcer) {
        this.announcer = announcer;
        this.holders = new int[shards];
        for (int i = 0; i < shards; i++) {
            reported.add(new TreeSet<>());
        }
    }

    /**
     * Sets the pin request, which replaces an earlier one.
     *
     * @param pinned versions that all shards have pinned already, which are not announced
     */
    synchronized void begin(Order next, Collection<Long> pinned) {
        order = next;
        pinned.forEach(this::passed);
    }

    /** Returns the current pin request; empty before the first. */
    synchronized Optional<Order> order() {
        return Optional.ofNullable(order);
    }

    /** Returns the consumer of pinned versions for the shard that is attached to a slot now. */
    synchronized LongConsumer of(int index) {
        int holder = holders[index];
        return version -> report(index, holder, version);
    }

    /** Discards the reports of a slot whose shard was replaced. */
    synchronized void replaced(int index) {
        holders[index]++;
        reported.get(index).clear();
    }

    /**
     * Resets the last announced version to that at which a shard has begun a new life, unless it is lower. Versions
     * above it are made again with other parameters.
     */
    synchronized void takenBack(long version) {
        told = Math.min(told, version);
        reported.forEach(versions -> versions.tailSet(version, false).clear());
    }

    private synchronized void report(int index, int holder, long version) {
        Order present = order;
        if (holder != holders[index] || version <= told || present == null) {
            return;
        }
        NavigableSet<Long> own = reported.get(index);
        own.add(version);
        // The shard has dropped the oldest version that no evaluation holds.
        while (own.size() > present.keep()) {
            own.pollFirst();
        }
        if (reported.stream().allMatch(versions -> versions.contains(version))) {
            passed(version);
            try {
                announcer.execute(() -> announce(present.listener(), version));
            } catch (RejectedExecutionException closed) {
                LOG.log(System.Logger.Level.DEBUG, "the parameter shards are closed; no listener", closed);
            }
        }
    }

    private void passed(long version) {
        told = Math.max(told, version);
        reported.forEach(versions -> versions.headSet(told, true).clear());
    }

    private static void announce(LongConsumer listener, long version) {
        try {
            listener.accept(version);
        } catch (RuntimeException failure) {
            LOG.log(System.Logger.Level.WARNING, "the listener of pinned version " + version + " failed", failure);
        }
    }

    /** Returns the text for people, for example {@code version 40 announced}. */
    @Override
    public synchronized String toString() {
        return "version " + told + " announced";
    }
}
