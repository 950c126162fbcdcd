package dev.edl.operators.controller.internal;

import dev.edl.k8s.client.MissingPermission;
import dev.edl.spec.Backoff;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Work queue of reconcile passes by key. Each key has at most one pass at a time; requests for a pass of a key that
 * already waits are merged. A pass that throws is retried after a growing pause.
 *
 * <p>The number of concurrent passes is limited. A pass that takes longer than a second, because its request is
 * unanswered, counts as stuck and no longer towards the limit, so that another key gets a pass. A key whose last pass
 * was stuck or failed waits behind other keys.
 */
public final class WorkQueue<K> implements AutoCloseable {
    private static final Logger LOG = System.getLogger(WorkQueue.class.getName());
    static final Backoff PAUSES = Backoff.doubling(Duration.ofMillis(200), Duration.ofSeconds(30));
    private static final Duration END = Duration.ofSeconds(20);
    /** Maximum pause after a failed pass if the key is added again; the first pauses are shorter. */
    private static final Duration REST = Duration.ofSeconds(1);
    /** Duration beyond which a pass counts as stuck. */
    private static final Duration QUICK = Duration.ofSeconds(1);
    /**
     * Maximum number of passes in progress, stuck ones included, because each keeps a thread of about 100 kB outside of
     * the heap.
     */
    private static final int MOST_THREADS = 256;
    /**
     * One of this many passes goes to a key whose last pass was stuck or failed, even if other keys are always ready.
     */
    private static final int SHARE = 4;

    private final int atOnce;
    private final Function<K, Optional<Duration>> turn;
    private final Consumer<Error> broken;
    private final Map<K, Slot> slots = new HashMap<>();
    private final Deque<Slot> ready = new ArrayDeque<>();
    private final Deque<Slot> readyLate = new ArrayDeque<>();
    private final JoinableThreads began;
    private final ScheduledThreadPoolExecutor clock;
    private final ThreadPoolExecutor threads;
    private int counted;
    private int running;
    private long picks;
    private long lastTurn = System.nanoTime();
    private boolean closed;

    /** State of a key that waits for a pass, has a scheduled one or is in one. */
    private final class Slot {
        private final K key;
        private @Nullable Future<?> due;
        /** Task that checks whether the running pass is stuck. */
        private @Nullable Future<?> check;

        private boolean waits;
        private boolean running;
        private boolean again;
        /** Whether the running pass is stuck. */
        private boolean stuck;
        /** Whether the last pass was stuck or failed. */
        private boolean late;

        private int failures;
        /** Start of the running pass, or of the wait for a thread, in nanoseconds of {@link System#nanoTime}. */
        private long since;
        /** Earliest time of the next pass after a failed one. */
        private long notBefore = System.nanoTime();

        Slot(K key) {
            this.key = key;
        }
    }

    /**
     * Creates a queue with its own daemon threads.
     *
     * @param atOnce limit of concurrent passes, not counting stuck ones
     * @param turn makes a pass for a key, and returns the longest delay until the key's next pass; empty for no next
     *     pass
     * @param broken receives an Error that a pass or task has thrown
     */
    public WorkQueue(String name, int atOnce, Function<K, Optional<Duration>> turn, Consumer<Error> broken) {
        this.atOnce = atOnce;
        this.turn = turn;
        this.broken = broken;
        this.began = new JoinableThreads(name);
        this.clock = new ScheduledThreadPoolExecutor(1, began::of);
        this.clock.setRemoveOnCancelPolicy(true);
        this.threads =
                new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), began::of);
    }

    /** Requests a pass for a key as soon as a thread is free or, if the key's pass is running, after that pass. */
    public synchronized void add(K key) {
        Slot slot = slots.computeIfAbsent(key, Slot::new);
        if (slot.running) {
            slot.again = true;
        } else if (!slot.waits) {
            schedule(slot, Duration.ZERO);
        }
    }

    /** Runs a task periodically until the queue is closed, in parallel to the passes; returns at once. */
    public void every(Duration interval, Runnable task) {
        Future<?> unused = clock.scheduleWithFixedDelay(guarded(task), 0, interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void schedule(Slot slot, Duration wait) {
        if (closed) {
            return;
        }
        Future<?> earlier = slot.due;
        if (earlier != null) {
            earlier.cancel(false);
        }
        long nanos = Math.max(wait.toNanos(), slot.notBefore - System.nanoTime());
        if (nanos <= 0) {
            ready(slot);
        } else {
            slot.due = clock.schedule(guarded(() -> due(slot)), nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Passes an Error of a scheduled task to the handler, because the executor would swallow it. */
    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Error e) {
                broken.accept(e);
            }
        };
    }

    private synchronized void due(Slot slot) {
        if (!slot.running && !slot.waits && slots.get(slot.key) == slot) {
            ready(slot);
        }
    }

    private void ready(Slot slot) {
        slot.due = null;
        slot.waits = true;
        slot.since = System.nanoTime();
        (slot.late ? readyLate : ready).add(slot);
        begin();
    }

    private void begin() {
        while (!closed && counted < atOnce && running < MOST_THREADS && !(ready.isEmpty() && readyLate.isEmpty())) {
            boolean late = ready.isEmpty() || (picks++ % SHARE == SHARE - 1 && !readyLate.isEmpty());
            Slot slot = (late ? readyLate : ready).remove();
            slot.waits = false;
            slot.running = true;
            slot.again = false;
            slot.stuck = false;
            slot.since = System.nanoTime();
            counted++;
            running++;
            long since = slot.since;
            slot.check = clock.schedule(guarded(() -> overdue(slot, since)), QUICK.toNanos(), TimeUnit.NANOSECONDS);
            threads.execute(() -> run(slot));
        }
    }

    private synchronized void overdue(Slot slot, long since) {
        if (slot.running && slot.since == since && !slot.stuck) {
            slot.stuck = true;
            counted--;
            begin();
        }
    }

    private void run(Slot slot) {
        Optional<Duration> next = Optional.empty();
        boolean failed = false;
        try {
            next = turn.apply(slot.key);
            slot.failures = 0;
        } catch (RuntimeException e) {
            failed = true;
            Duration pause = PAUSES.delay(slot.failures++);
            next = Optional.of(pause);
            // The pass's own writes wake it at once, so it pauses; only briefly, because another program may fix the
            // cause.
            Duration rest = pause.compareTo(REST) < 0 ? pause : REST;
            slot.notBefore = System.nanoTime() + rest.toNanos();
            LOG.log(
                    Level.WARNING,
                    MissingPermission.withGrantCommand(
                            "reconcile of " + slot.key + " failed, retrying in " + pause.toMillis() + " ms: " + e));
        } catch (Error e) {
            // The state of the failed pass is unknown, so this program must not continue as leader.
            broken.accept(e);
        } finally {
            end(slot, next, failed);
        }
    }

    private synchronized void end(Slot slot, Optional<Duration> next, boolean failed) {
        lastTurn = System.nanoTime();
        running--;
        Future<?> check = slot.check;
        if (check != null) {
            check.cancel(false);
        }
        if (!slot.stuck) {
            counted--;
        }
        slot.running = false;
        slot.late = slot.stuck || failed;
        if (slot.again) {
            schedule(slot, Duration.ZERO);
        } else if (next.isPresent()) {
            schedule(slot, next.get());
        } else {
            slots.remove(slot.key);
        }
        begin();
    }

    /** Returns the queue's current load. */
    public synchronized QueueStatus status() {
        long now = System.nanoTime();
        int stuck = 0;
        long oldest = now;
        for (Slot slot : slots.values()) {
            stuck += slot.running && slot.stuck ? 1 : 0;
            oldest = slot.waits ? Math.min(oldest, slot.since) : oldest;
        }
        return new QueueStatus(
                ready.size() + readyLate.size(),
                running,
                stuck,
                Duration.ofNanos(now - oldest),
                Duration.ofNanos(now - lastTurn));
    }

    /** Starts no further passes, interrupts the running ones, and waits at most 20 s for them to end. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        clock.shutdownNow();
        threads.shutdownNow();
        try {
            if (!began.join(END)) {
                LOG.log(Level.WARNING, "a pass did not end within " + END.toSeconds() + " s; abandoning it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
