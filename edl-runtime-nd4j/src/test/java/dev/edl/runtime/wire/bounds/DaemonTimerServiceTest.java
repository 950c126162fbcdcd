package dev.edl.runtime.wire.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.LogRecords;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A timer's delay counts only while the process runs. */
class DaemonTimerServiceTest {
    private final AtomicInteger rung = new AtomicInteger();
    private final ManualTimer thread = new ManualTimer();
    private final DaemonTimerService timers = new DaemonTimerService(thread, () -> thread.now);

    /** Runs due tasks when its clock is advanced, on the caller's thread. */
    private static final class ManualTimer extends ScheduledThreadPoolExecutor {
        private record Task(Runnable command, long due) {}

        private final Deque<Task> tasks = new ArrayDeque<>();
        private long now = 1_000;

        private ManualTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            tasks.add(new Task(command, now + unit.toNanos(delay)));
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }

        /** Advances the clock at once, and then runs the due tasks. */
        private void pause(Duration time) {
            now += time.toNanos();
            for (int due = tasks.size(); due > 0; due--) {
                Task task = tasks.remove();
                if (task.due <= now) {
                    task.command.run();
                } else {
                    tasks.add(task);
                }
            }
        }

        private void run(Duration time) {
            for (long millis = time.toMillis(); millis > 0; millis -= 100) {
                pause(Duration.ofMillis(100));
            }
        }
    }

    @AfterEach
    void close() {
        timers.close();
    }

    @Test
    void timer_rings_once_after_its_delay() {
        timers.schedule(Duration.ofSeconds(20), rung::incrementAndGet);

        thread.run(Duration.ofMillis(19_900));
        assertThat(rung).hasValue(0);
        thread.run(Duration.ofMillis(100));
        assertThat(rung).hasValue(1);
        thread.run(Duration.ofSeconds(40));
        assertThat(rung).hasValue(1);
    }

    @Test
    void short_timer_rings_after_its_delay() {
        timers.schedule(Duration.ofNanos(3), rung::incrementAndGet);
        timers.schedule(Duration.ZERO, rung::incrementAndGet);

        thread.run(Duration.ofMillis(300));
        assertThat(rung).hasValue(2);
    }

    @Test
    void pause_of_a_minute_takes_no_step_of_a_delay() {
        timers.schedule(Duration.ofSeconds(20), rung::incrementAndGet);
        thread.run(Duration.ofSeconds(12));

        thread.pause(Duration.ofMinutes(1));
        assertThat(rung).hasValue(0);
        // Two of the four steps had ended.
        thread.run(Duration.ofMillis(9_900));
        assertThat(rung).hasValue(0);
        thread.run(Duration.ofMillis(100));
        assertThat(rung).hasValue(1);
    }

    @Test
    void cancelled_timer_never_rings() {
        Runnable cancel = timers.schedule(Duration.ofSeconds(20), rung::incrementAndGet);
        thread.run(Duration.ofSeconds(12));

        cancel.run();

        thread.run(Duration.ofMinutes(1));
        assertThat(rung).hasValue(0);
    }

    @Test
    void failure_of_a_task_is_logged_and_the_next_one_runs() {
        try (LogRecords log = new LogRecords(DaemonTimerService.class)) {
            timers.schedule(Duration.ofSeconds(1), () -> {
                throw new LinkageError("planted");
            });
            timers.schedule(Duration.ofSeconds(1), rung::incrementAndGet);

            thread.run(Duration.ofSeconds(2));

            assertThat(rung).hasValue(1);
            assertThat(log.records()).singleElement().satisfies(record -> {
                assertThat(record.getMessage()).isEqualTo("a timer's task failed; the other timers continue");
                assertThat(record.getThrown()).isInstanceOf(LinkageError.class).hasMessage("planted");
            });
        }
    }
}
