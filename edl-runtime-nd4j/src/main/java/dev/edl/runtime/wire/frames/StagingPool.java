package dev.edl.runtime.wire.frames;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.ps.host.HostedShard;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server's vectors for gradients until they are complete, and for weights until they are sent. Pulls of one version
 * share one vector. If all vectors are in use, connections wait in order, and their sockets are not read meanwhile.
 *
 * <p>A slow worker delays others once: while others wait, a transfer may take twice the usual time and a grace period.
 * Then its connection is cut. The worker's next transfers use a second pool, which cuts nobody, until one of them is
 * quick again. So slow workers make progress, and delay only each other.
 */
final class StagingPool {
    private static final int LEAST = 4;
    private static final int MOST = 64;
    /** Time in nanoseconds that a transfer may take in addition to twice the usual time. */
    private static final long GRACE = 200_000_000;
    /** Longest wait in nanoseconds before a transfer is checked. After a pause of the process, only one is counted. */
    private static final long SLICE = 50_000_000;
    /** Assumed transfer rate before the first transfers, in bytes per second. */
    private static final long RATE = 16 << 20;
    /** Shortest usual time of a transfer in nanoseconds. */
    private static final double QUICKEST = 1000;
    /** Factor by which one transfer changes the usual time, which so follows the median. */
    private static final double CHANGE = 1.1;
    /** Maximum number of names of slow workers; the oldest is forgotten first. */
    private static final int NAMES = 1024;

    private final int length;
    private final int buffers;
    private final LongSupplier nanos;
    private final Pause pause;
    private final Pace pace;
    /** Pool of slow workers; null in that pool itself, which cuts no connection. */
    private final @Nullable StagingPool slow;

    /** Held by one pull at a time from the check of the version until its copy is shared. */
    private final ReentrantLock copying = new ReentrantLock(true);

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<float[]> unused = new ArrayDeque<>();
    private final Deque<Condition> waiting = new ArrayDeque<>();
    /** Holds whose bytes are being transferred, in order of their begin. */
    private final Set<Hold> moving = new LinkedHashSet<>();
    /** The newest shared copy of weights, while a connection sends it. */
    private @Nullable StagedVector newest;

    private int free;
    /** Time in nanoseconds for which connections have waited. */
    private long waited;

    /** A wait for a condition, replaceable in tests. */
    @FunctionalInterface
    interface Pause {
        /** Waits as {@link Condition#awaitNanos} does. */
        long on(Condition condition, long nanos) throws InterruptedException;
    }

    /** Usual time of a transfer, and the workers whose last transfer was slow. */
    private static final class Pace {
        private final Set<String> slow = Collections.newSetFromMap(new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > NAMES;
            }
        });
        private double usual;

        Pace(double usual) {
            this.usual = usual;
        }

        synchronized long usual() {
            return (long) usual;
        }

        synchronized long bound() {
            return GRACE + 2 * (long) usual;
        }

        synchronized boolean isSlow(String worker) {
            return slow.contains(worker);
        }

        synchronized void cut(String worker) {
            slow.add(worker);
        }

        synchronized void transferred(String worker, long took) {
            usual = Math.max(QUICKEST, took > usual ? usual * CHANGE : usual / CHANGE);
            if (took <= bound()) {
                slow.remove(worker);
            }
        }
    }

    /** A vector, and the copied version if it is shared. */
    private static final class StagedVector {
        private final float[] floats;
        private @Nullable HostedShard shard;
        private long version;
        private int holds;

        StagedVector(float[] floats) {
            this.floats = floats;
        }
    }

    /** A connection's use of a vector. */
    final class Hold implements AutoCloseable {
        private final StagedVector staged;
        private final String worker;
        private final Consumer<String> cut;
        private long began;
        private long since;
        private boolean isCut;

        private Hold(StagedVector staged, String worker, Consumer<String> cut) {
            this.staged = staged;
            this.worker = worker;
            this.cut = cut;
            staged.holds++;
        }

        /** Returns the vector, which only its single holder may write. */
        float[] floats() {
            return staged.floats;
        }

        /** Returns the version of the weights in a shared vector. */
        long version() {
            return staged.version;
        }

        /** Begins a transfer, during which the connection may be cut. */
        void move() {
            lock.lock();
            try {
                began = nanos.getAsLong();
                since = waited;
                moving.add(this);
            } finally {
                lock.unlock();
            }
        }

        /** Ends a transfer; the vector stays in use. */
        void rest() {
            lock.lock();
            try {
                if (moving.remove(this) && !isCut) {
                    pace.transferred(worker, nanos.getAsLong() - began);
                }
            } finally {
                lock.unlock();
            }
        }

        /** Returns the vector unless another connection still uses it. */
        @Override
        public void close() {
            lock.lock();
            try {
                moving.remove(this);
                if (--staged.holds == 0) {
                    give(staged);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    StagingPool(int length, int buffers) {
        this(length, buffers, System::nanoTime, Condition::awaitNanos);
    }

    StagingPool(int length, int buffers, LongSupplier nanos, Pause pause) {
        this.length = length;
        this.buffers = buffers;
        this.free = buffers;
        this.nanos = nanos;
        this.pause = pause;
        this.pace = new Pace(Math.max(QUICKEST, 1e9 * length * Float.BYTES / RATE));
        this.slow = new StagingPool(this);
    }

    /** Creates the pool of slow workers. */
    private StagingPool(StagingPool fast) {
        this.length = fast.length;
        this.buffers = fast.buffers / 2;
        this.free = buffers;
        this.nanos = fast.nanos;
        this.pause = fast.pause;
        this.pace = fast.pace;
        this.slow = null;
    }

    /** Returns how many vectors of this length fit into the given bytes, but at least four and at most 64. */
    static int buffers(int length, long bytes) {
        return (int) Math.max(LEAST, Math.min(MOST, bytes / Math.max(1L, (long) length * Float.BYTES)));
    }

    private StagingPool of(String worker) {
        return slow != null && pace.isSlow(worker) ? slow : this;
    }

    /**
     * Waits for a free vector.
     *
     * @param cut ends the worker's connection for a reason, on another thread and at once
     */
    Hold take(String worker, Consumer<String> cut) throws InterruptedException {
        return of(worker).free(worker, cut);
    }

    /** Returns the weights of the shard's newest version; waits for a free vector only if nobody sends them now. */
    Hold pull(HostedShard shard, String worker, Consumer<String> cut) throws InterruptedException {
        return of(worker).shared(shard, worker, cut);
    }

    private Hold shared(HostedShard shard, String worker, Consumer<String> cut) throws InterruptedException {
        copying.lockInterruptibly();
        try {
            Hold joined = join(shard, shard.version(worker), worker, cut);
            if (joined != null) {
                return joined;
            }
            Hold made = free(worker, cut);
            try {
                share(made.staged, shard, shard.pull(worker, made.floats(), List.of()));
                return made;
            } catch (RuntimeException | Error e) {
                made.close();
                throw e;
            }
        } finally {
            copying.unlock();
        }
    }

    private @Nullable Hold join(HostedShard shard, long version, String worker, Consumer<String> cut) {
        lock.lock();
        try {
            StagedVector now = newest;
            return now != null && now.shard == shard && now.version == version ? new Hold(now, worker, cut) : null;
        } finally {
            lock.unlock();
        }
    }

    private void share(StagedVector copy, HostedShard shard, long version) {
        lock.lock();
        try {
            copy.shard = shard;
            copy.version = version;
            newest = copy;
        } finally {
            lock.unlock();
        }
    }

    private Hold free(String worker, Consumer<String> cut) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (free == 0 || !waiting.isEmpty()) {
                queue();
            }
            free--;
            float[] kept = unused.poll();
            return new Hold(new StagedVector(kept == null ? new float[length] : kept), worker, cut);
        } finally {
            lock.unlock();
        }
    }

    private void queue() throws InterruptedException {
        Condition mine = lock.newCondition();
        waiting.add(mine);
        try {
            while (waiting.peek() != mine) {
                mine.await();
            }
            while (free == 0) {
                waited += SLICE - Math.max(0, pause.on(mine, SLICE));
                cutSlowest();
            }
        } finally {
            waiting.remove(mine);
            signalFirst();
        }
    }

    private void signalFirst() {
        Condition first = waiting.peek();
        if (first != null) {
            first.signal();
        }
    }

    /** Cuts the connections that have used one vector for too long, unless others already end. */
    private void cutSlowest() {
        if (free > 0 || slow == null || moving.stream().anyMatch(hold -> hold.isCut)) {
            return;
        }
        long bound = pace.bound();
        List<Hold> overdue = new ArrayList<>();
        for (Hold hold : moving) {
            boolean same = overdue.isEmpty() || overdue.get(0).staged == hold.staged;
            if (same && waited - hold.since >= bound) {
                overdue.add(hold);
            }
        }
        for (Hold hold : overdue) {
            hold.isCut = true;
            pace.cut(hold.worker);
            hold.cut.accept("other workers wait for one of " + buffers + " vectors, and " + hold.worker
                    + " has used one for " + text(nanos.getAsLong() - hold.began) + "; usual are "
                    + text(pace.usual()) + ". It may try again, among the slow workers");
        }
    }

    private static String text(long nanos) {
        return DurationText.of(Duration.ofMillis(Math.max(1, nanos / 1_000_000)));
    }

    private void give(StagedVector staged) {
        if (newest == staged) {
            newest = null;
        }
        // Slow workers are rare, so their memory is not kept.
        if (slow != null) {
            unused.push(staged.floats);
        }
        free++;
        signalFirst();
    }

    /** Returns the text for people, for example {@code 3 of 4 vectors of 650 floats are free}. */
    @Override
    public String toString() {
        lock.lock();
        try {
            return free + " of " + buffers + " vectors of " + length + " floats are free";
        } finally {
            lock.unlock();
        }
    }
}
