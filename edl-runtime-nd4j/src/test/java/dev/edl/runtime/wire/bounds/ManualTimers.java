package dev.edl.runtime.wire.bounds;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Clock and timers controlled by a test; timers run on the thread of the test. */
public final class ManualTimers implements TimerService {
    private final List<Timer> timers = new ArrayList<>();
    private long nanos;

    private record Timer(long at, Runnable task) {}

    @Override
    public synchronized long nanoTime() {
        return nanos;
    }

    @Override
    public synchronized Runnable schedule(Duration delay, Runnable task) {
        Timer timer = new Timer(nanoTime() + delay.toNanos(), task);
        timers.add(timer);
        notifyAll();
        return () -> drop(timer);
    }

    private synchronized void drop(Timer timer) {
        timers.remove(timer);
    }

    /** Returns the remaining time of each timer, the next one first. */
    public synchronized List<Duration> pending() {
        return timers.stream()
                .map(timer -> Duration.ofNanos(timer.at - nanoTime()))
                .sorted()
                .toList();
    }

    /** Waits for a timer that is due within a duration. */
    public synchronized void await(Duration within) throws InterruptedException {
        for (int look = 0; look < 300; look++) {
            if (pending().stream().anyMatch(left -> left.compareTo(within) <= 0)) {
                return;
            }
            wait(100);
        }
        throw new AssertionError("no timer within " + within + ", but " + pending());
    }

    /** Sets the time without running a timer, as when the timer thread is late. */
    public synchronized void turn(Duration time) {
        nanos += time.toNanos();
    }

    /** Advances the time from timer to timer, and runs each at its time. */
    public void pass(Duration time) {
        long end = nanoTime() + time.toNanos();
        for (Optional<Timer> next = next(end); next.isPresent(); next = next(end)) {
            next.get().task.run();
        }
    }

    private synchronized Optional<Timer> next(long end) {
        Optional<Timer> next =
                timers.stream().filter(timer -> timer.at <= end).min(Comparator.comparingLong(Timer::at));
        nanos = Math.max(nanos, next.map(Timer::at).orElse(end));
        next.ifPresent(timers::remove);
        return next;
    }
}
