package dev.edl.runtime.wire.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Clock and timers controlled by a test; timers run on the thread of the test. */
final class ManualAlarms implements TimerService {
    private final List<Alarm> alarms = new ArrayList<>();
    private long nanos;

    private record Alarm(long at, Runnable task) {}

    @Override
    public synchronized long nanoTime() {
        return nanos;
    }

    @Override
    public synchronized Runnable schedule(Duration delay, Runnable task) {
        Alarm alarm = new Alarm(nanoTime() + delay.toNanos(), task);
        alarms.add(alarm);
        notifyAll();
        return () -> drop(alarm);
    }

    private synchronized void drop(Alarm alarm) {
        alarms.remove(alarm);
    }

    /** Returns the remaining time of each timer, the next one first. */
    synchronized List<Duration> pending() {
        return alarms.stream()
                .map(alarm -> Duration.ofNanos(alarm.at - nanoTime()))
                .sorted()
                .toList();
    }

    /** Waits for a timer that is due within a duration. */
    synchronized void await(Duration within) throws InterruptedException {
        for (int look = 0; look < 300; look++) {
            if (pending().stream().anyMatch(left -> left.compareTo(within) <= 0)) {
                return;
            }
            wait(100);
        }
        throw new AssertionError("no alarm within " + within + ", but " + pending());
    }

    /** Sets the time without running a timer, as when the timer thread is late. */
    synchronized void turn(Duration time) {
        nanos += time.toNanos();
    }

    void pass(Duration time) {
        List<Alarm> due;
        synchronized (this) {
            nanos += time.toNanos();
            due = alarms.stream()
                    .filter(alarm -> alarm.at <= nanoTime())
                    .sorted(Comparator.comparingLong(Alarm::at))
                    .toList();
            alarms.removeAll(due);
        }
        due.forEach(alarm -> alarm.task.run());
    }
}
