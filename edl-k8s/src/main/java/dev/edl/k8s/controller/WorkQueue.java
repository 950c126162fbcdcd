package dev.edl.k8s.controller;

import dev.edl.Backoff;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes turns for keys on a few threads: for one key one at a time, once for all that asked while it waited, again after a growing
 * pause when it throws.
 */
final class WorkQueue<K> implements AutoCloseable {
    private static final Logger LOG = System.getLogger(WorkQueue.class.getName());
    private static final Backoff PAUSES = Backoff.doubling(Duration.ofMillis(200), Duration.ofSeconds(30));
    private static final Duration END = Duration.ofSeconds(20);
    /** After a turn that failed, whatever asks for the next one. */
    private static final Duration REST = Duration.ofSeconds(1);

    private final Function<K, Optional<Duration>> turn;
    private final Map<K, Slot> slots = new HashMap<>();
    private final EndingThreads began;
    private final ScheduledThreadPoolExecutor threads;

    /** What is known of a key. */
    private static final class Slot {
        private @Nullable Future<?> due;
        private boolean running;
        private boolean again;
        private int failures;
        /** After a turn that failed: no other one before. */
        private long notBefore = System.nanoTime();
    }

    /**
     * A queue with threads of its own, all daemons.
     *
     * @param turn gives when the key is due again at the latest
     */
    WorkQueue(String name, int threads, Function<K, Optional<Duration>> turn) {
        this.turn = turn;
        this.began = new EndingThreads(name);
        this.threads = new ScheduledThreadPoolExecutor(threads, began::of);
        this.threads.setRemoveOnCancelPolicy(true);
    }

    /** Asks for a turn as soon as there is a thread. */
    synchronized void add(K key) {
        Slot slot = slots.computeIfAbsent(key, k -> new Slot());
        if (slot.running) {
            slot.again = true;
        } else {
            schedule(key, slot, Duration.ZERO);
        }
    }

    private void schedule(K key, Slot slot, Duration wait) {
        if (threads.isShutdown()) {
            return;
        }
        Future<?> earlier = slot.due;
        if (earlier != null) {
            earlier.cancel(false);
        }
        long nanos = Math.max(wait.toNanos(), slot.notBefore - System.nanoTime());
        slot.due = threads.schedule(() -> run(key, slot), nanos, TimeUnit.NANOSECONDS);
    }

    private void run(K key, Slot slot) {
        synchronized (this) {
            if (slots.get(key) != slot) {
                return;
            }
            if (slot.running) {
                // A turn that could not be cancelled any more, beside the one that took its place.
                slot.again = true;
                return;
            }
            slot.running = true;
            slot.again = false;
            slot.due = null;
        }
        Optional<Duration> next = Optional.empty();
        try {
            next = turn.apply(key);
            slot.failures = 0;
        } catch (RuntimeException | Error e) {
            // An error, too: this key's turns would end with it, and nobody would hear of it.
            Duration pause = PAUSES.delay(slot.failures++);
            next = Optional.of(pause);
            // What the turn itself has written wakes it again; what somebody else mends must not wait for long.
            Duration rest = pause.compareTo(REST) < 0 ? pause : REST;
            slot.notBefore = System.nanoTime() + rest.toNanos();
            LOG.log(Level.WARNING, key + ": again in " + pause.toMillis() + " ms, after " + e);
        } finally {
            end(key, slot, next);
        }
    }

    private synchronized void end(K key, Slot slot, Optional<Duration> next) {
        slot.running = false;
        if (slot.again) {
            schedule(key, slot, Duration.ZERO);
        } else if (next.isPresent()) {
            schedule(key, slot, next.get());
        } else {
            slots.remove(key);
        }
    }

    /** Begins no other turn, and waits for those that are under way, at most 20 s. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            if (!began.join(END)) {
                LOG.log(Level.WARNING, "a turn did not end within " + END.toSeconds() + " s; it is left alone");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
