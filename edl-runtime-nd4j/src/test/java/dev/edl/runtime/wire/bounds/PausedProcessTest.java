package dev.edl.runtime.wire.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pauses of a process, and a bound that begins while the pending timer is checked. */
class PausedProcessTest {
    private static final TimeBound FRAME = new TimeBound(Duration.ofSeconds(30), "connections.silence");
    private static final TimeBound LOST = new TimeBound(Duration.ofSeconds(20), "twice connections.keepAlive");
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

    private final List<String> expired = new ArrayList<>();
    private final Clock clock = new Clock();
    private final DaemonTimerService timers = new DaemonTimerService(clock, () -> clock.now);

    /** Runs due tasks when its clock is advanced, on the caller's thread; as that of DaemonTimerServiceTest. */
    private static final class Clock extends ScheduledThreadPoolExecutor {
        private record Task(Runnable command, long due) {}

        private final Deque<Task> tasks = new ArrayDeque<>();
        private long now = 1_000;

        private Clock() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            tasks.add(new Task(command, now + unit.toNanos(delay)));
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }

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

    /** docs/wire.md: "Bounds count only while the process runs: a pause by SIGSTOP counts as at most one second." */
    @Test
    void a_pause_counts_as_at_most_one_second_of_a_later_transfer() {
        TransferBound bound = new TransferBound(timers, "sent", expired::add);
        bound.begin(FRAME);
        clock.run(Duration.ofSeconds(29));
        bound.end();
        bound.begin(FRAME);
        clock.run(Duration.ofMillis(100));

        clock.pause(Duration.ofMinutes(2));

        // 0.1 s of the 30 s have passed, and the pause counts as 1 s.
        for (int second = 1; second <= 28; second++) {
            clock.run(Duration.ofSeconds(1));
            assertThat(expired).as("%s s after the pause", second).isEmpty();
        }
    }

    @Test
    void a_pause_shorter_than_the_bound_counts_as_at_most_one_second() {
        TransferBound bound = new TransferBound(timers, "sent", expired::add);
        bound.begin(FRAME);
        clock.run(Duration.ofSeconds(29));
        bound.end();
        bound.begin(FRAME);
        clock.run(Duration.ofMillis(100));

        clock.pause(Duration.ofSeconds(22));

        for (int second = 1; second <= 28; second++) {
            clock.run(Duration.ofSeconds(1));
            assertThat(expired).as("%s s after the pause", second).isEmpty();
        }
    }

    /** Both ends stop, for example in a machine that is suspended; then both continue. The peer pings every 10 s. */
    @Test
    void a_connection_survives_a_pause_of_both_ends() {
        TransferBound bound = new TransferBound(timers, "sent", expired::add);
        bound.begin(LOST);
        clock.run(Duration.ofMillis(9_800));
        beat(bound);
        clock.run(Duration.ofSeconds(10));
        clock.run(Duration.ofMillis(100));

        clock.pause(Duration.ofMinutes(1));

        clock.run(Duration.ofSeconds(30));
        assertThat(expired).isEmpty();
    }

    private void beat(TransferBound bound) {
        bound.end();
        bound.begin(LOST);
        timers.schedule(KEEP_ALIVE, () -> beat(bound));
    }

    /** A transfer with a shorter bound begins on its thread while the timer's thread is between two lines of check(). */
    @Test
    void a_shorter_bound_that_begins_during_a_check_expires_in_time() {
        ManualTimers manual = new ManualTimers();
        Runnable[] between = {() -> {}};
        TimerService racing = new TimerService() {
            @Override
            public long nanoTime() {
                Runnable once = between[0];
                between[0] = () -> {};
                once.run();
                return manual.nanoTime();
            }

            @Override
            public Runnable schedule(Duration delay, Runnable task) {
                return manual.schedule(delay, task);
            }
        };
        TransferBound bound = new TransferBound(racing, "sent", expired::add);
        bound.begin(FRAME);
        manual.pass(Duration.ofSeconds(29));
        bound.begin(FRAME);
        between[0] = () -> {
            bound.end();
            bound.begin(new TimeBound(Duration.ofSeconds(5), "connections.greeting"));
        };
        manual.pass(Duration.ofSeconds(1));

        manual.pass(Duration.ofSeconds(6));
        assertThat(expired).containsExactly("has sent nothing within 5s, the bound connections.greeting");
    }
}
