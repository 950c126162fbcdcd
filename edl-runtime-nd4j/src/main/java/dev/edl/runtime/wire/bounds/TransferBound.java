package dev.edl.runtime.wire.bounds;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bound of one connection's transfers: a frame must end, or {@value #LEAST} bytes of it move, within it. One thread
 * transfers, and any thread may close.
 *
 * <p>A transfer that ends in time sets no timer: one timer is pending, and is set again when it finds a later transfer.
 */
public final class TransferBound {
    /** Number of bytes that must move before the bound starts again. */
    private static final int LEAST = 1 << 20;
    /** Delay of a timer in nanoseconds beyond which the process counts as paused. */
    private static final long LATE = 1_000_000_000;

    private final TimerService timers;
    private final String verb;
    private final Consumer<String> expired;
    private final AtomicLong moved = new AtomicLong();
    /** Whether a timer is pending. */
    private final AtomicBoolean armed = new AtomicBoolean();

    private volatile @Nullable TimeBound bound;
    private volatile long deadline;
    private volatile long mark;
    /** Bound that the next byte starts; null if it starts none. */
    private @Nullable TimeBound atNextByte;

    /** Time at which the pending timer is due. */
    private volatile long due;
    /** Deadline for which the pending timer was set. */
    private long setFor;

    private Runnable cancel = () -> {};
    private boolean closed;

    /**
     * Creates the bound of a connection or of one of its directions.
     *
     * @param verb what the peer does with the bytes, for messages, for example {@code sent}
     * @param expired receives the reason, on a thread of the timers
     */
    public TransferBound(TimerService timers, String verb, Consumer<String> expired) {
        this.timers = timers;
        this.verb = verb;
        this.expired = expired;
    }

    /** Bounds a frame from now on. */
    public void begin(TimeBound frame) {
        long nanos = frame.time().toNanos();
        long end = timers.nanoTime() + nanos;
        atNextByte = null;
        mark = moved.get();
        deadline = end;
        bound = frame;
        if (armed.compareAndSet(false, true) || end - due < 0) {
            arm(false);
        }
    }

    /** Stops the bound. */
    public void end() {
        bound = null;
    }

    /** Stops the bound until the next byte moves, which starts it again for its frame. */
    public void end(TimeBound next) {
        bound = null;
        atNextByte = next;
    }

    /** Counts bytes that have moved. */
    public void moved(int bytes) {
        if (bytes > 0) {
            TimeBound next = atNextByte;
            if (next != null) {
                begin(next);
            }
            moved.lazySet(moved.get() + bytes);
            TimeBound now = bound;
            if (now != null && moved.get() - mark >= LEAST) {
                begin(now);
            }
        }
    }

    /**
     * Sets the timer for the present deadline.
     *
     * @param again whether the whole bound starts again, because the clock has counted a pause of the process
     */
    private synchronized void arm(boolean again) {
        cancel.run();
        if (closed) {
            return;
        }
        TimeBound now = bound;
        long time = timers.nanoTime();
        setFor = deadline;
        long left = again && now != null ? now.time().toNanos() : Math.max(0, setFor - time);
        due = time + left;
        cancel = timers.schedule(Duration.ofNanos(left), this::check);
    }

    private void check() {
        boolean paused = timers.nanoTime() - due > LATE;
        armed.set(false);
        // A transfer that begins now sets the timer, or this check does.
        TimeBound now = bound;
        if (now == null || !armed.compareAndSet(false, true)) {
            return;
        }
        if (isSetFor(deadline) || (!paused && deadline - timers.nanoTime() <= 0)) {
            expired.accept(reason(now));
        } else {
            arm(paused);
        }
    }

    private synchronized boolean isSetFor(long end) {
        return setFor == end;
    }

    private String reason(TimeBound now) {
        long bytes = moved.get() - mark;
        return "has " + verb + " " + (bytes == 0 ? "nothing" : bytes + " bytes of a frame") + " within " + now;
    }

    /** Stops the bound for ever. */
    public synchronized void close() {
        closed = true;
        bound = null;
        cancel.run();
    }
}
