package dev.edl.operators.controller.internal;

import dev.edl.Backoff;
import dev.edl.k8s.client.MissingPermission;
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
 * Takes turns for keys: for one key one at a time, once for all requests that arrive while it waits, again after a growing pause when
 * it throws.
 *
 * <p>A few turns are under way at once. One that takes longer than a second, as its request is not answered, no longer counts, and
 * another key has its turn: a key that is stuck stops no other. Such a key waits behind the others from then on.
 */
public final class WorkQueue<K> implements AutoCloseable {
    private static final Logger LOG = System.getLogger(WorkQueue.class.getName());
    static final Backoff PAUSES = Backoff.doubling(Duration.ofMillis(200), Duration.ofSeconds(30));
    private static final Duration END = Duration.ofSeconds(20);
    /** The shortest pause after a turn that failed, also for a key that is added meanwhile. */
    private static final Duration REST = Duration.ofSeconds(1);
    /** A turn that takes longer is stuck. */
    private static final Duration QUICK = Duration.ofSeconds(1);
    /** Stuck turns keep their threads: some 100 kB each outside of the heap. */
    private static final int MOST_THREADS = 256;
    /** One turn in so many is that of a key that was stuck or failed, where others are ready all the time. */
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

    /** What is known of a key. */
    private final class Slot {
        private final K key;
        private @Nullable Future<?> due;
        /** Looks whether the turn that is under way is stuck. */
        private @Nullable Future<?> check;

        private boolean waits;
        private boolean running;
        private boolean again;
        /** Whether the turn that is under way is stuck. */
        private boolean stuck;
        /** Whether the last turn was stuck, or failed. */
        private boolean late;

        private int failures;
        /** The beginning of the turn, or of waiting for one. */
        private long since;
        /** After a turn that failed: no other one before. */
        private long notBefore = System.nanoTime();

        Slot(K key) {
            this.key = key;
        }
    }

    /**
     * Creates a queue with threads of its own, all daemons.
     *
     * @param atOnce how many turns are under way at once, without those that are stuck
     * @param turn gives when the key is due again at the latest
     * @param broken receives an Error, after which the key has no turn any more
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

    /** Asks for a turn as soon as there is a thread. */
    public synchronized void add(K key) {
        Slot slot = slots.computeIfAbsent(key, Slot::new);
        if (slot.running) {
            slot.again = true;
        } else if (!slot.waits) {
            schedule(slot, Duration.ZERO);
        }
    }

    /** Runs something again and again until this queue is closed, beside the turns; it returns at once. */
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

    /** A task of the clock whose Error would be lost with it. */
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
            // The turn's own writes wake it at once, so it rests; not for long, as another program may mend the cause.
            Duration rest = pause.compareTo(REST) < 0 ? pause : REST;
            slot.notBefore = System.nanoTime() + rest.toNanos();
            LOG.log(
                    Level.WARNING,
                    MissingPermission.told(slot.key + ": again in " + pause.toMillis() + " ms, after " + e));
        } catch (Error e) {
            // Nothing is known of what it left undone, here or in another thread: this program must not go on as
            // leader.
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

    /** Returns how much there is to do, and how long it has waited. */
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

    /** Begins no other turn, and waits for those that are under way, at most 20 s. */
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
