package dev.edl.k8s.lives;

import java.time.Instant;
import java.time.InstantSource;
import java.util.PriorityQueue;

/** Virtual clock that moves from one planned event to the next. Single-threaded; the same plan gives the same order. */
final class Timeline implements InstantSource {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long planned;

    private record Event(long at, long order, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    /** Returns the milliseconds since the start. */
    long now() {
        return now;
    }

    @Override
    public Instant instant() {
        return START.plusMillis(now);
    }

    /** Plans an event after a delay. */
    void in(long millis, Runnable what) {
        events.add(new Event(now + Math.max(millis, 0), planned++, what));
    }

    /** Advances time with every event planned until then. An event may itself advance time. */
    void pass(long millis) {
        long end = now + millis;
        for (Event next = events.peek(); next != null && next.at <= end; next = events.peek()) {
            events.remove();
            now = Math.max(now, next.at);
            next.what.run();
        }
        now = Math.max(now, end);
    }
}
