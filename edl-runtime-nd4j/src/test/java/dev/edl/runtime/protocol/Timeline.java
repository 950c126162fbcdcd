package dev.edl.runtime.protocol;

import java.util.PriorityQueue;

/** Virtual time in nanoseconds: moves from one planned event to the next. On one thread; the same plan gives the same order. */
final class Timeline {
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000 * MILLI;

    private final PriorityQueue<Planned> events = new PriorityQueue<>();
    private long now;
    private long planned;

    private record Planned(long at, long order, Runnable what) implements Comparable<Planned> {
        @Override
        public int compareTo(Planned other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    long now() {
        return now;
    }

    /** Plans an event. */
    void at(long time, Runnable what) {
        events.add(new Planned(Math.max(now, time), planned++, what));
    }

    /** Plans an event. */
    void in(long nanos, Runnable what) {
        at(now + nanos, what);
    }

    /** Runs the next event, if it is planned until then; returns whether there was one. */
    boolean step(long end) {
        Planned next = events.peek();
        if (next == null || next.at > end) {
            now = Math.max(now, end);
            return false;
        }
        events.remove();
        now = next.at;
        next.what.run();
        return true;
    }
}
