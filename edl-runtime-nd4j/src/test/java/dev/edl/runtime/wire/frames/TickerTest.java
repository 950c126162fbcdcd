package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.LogRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a ticker with an action that throws, and after a pause of the process. */
class TickerTest {
    private final LogRecords log = new LogRecords(Ticker.class);

    /** Ticks without delay. */
    private static final class Fast extends ScheduledThreadPoolExecutor {
        private Fast() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long first, long delay, TimeUnit unit) {
            return super.scheduleWithFixedDelay(command, 0, 1, TimeUnit.NANOSECONDS);
        }
    }

    /** Runs an action for a clock that has advanced at once, as a resumed process does. */
    private static final class Paused extends ScheduledThreadPoolExecutor {
        private final List<Runnable> missed = new ArrayList<>();
        private final long pause;

        private Paused(Duration pause) {
            super(1);
            this.pause = pause.toNanos();
        }

        private ScheduledFuture<?> runs(Runnable command, long times) {
            missed.addAll(Collections.nCopies(Math.toIntExact(times), command));
            return super.schedule(() -> {}, 0, TimeUnit.NANOSECONDS);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long first, long period, TimeUnit unit) {
            return runs(command, pause / unit.toNanos(period));
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long first, long delay, TimeUnit unit) {
            return runs(command, 1);
        }

        private void resume() {
            missed.forEach(Runnable::run);
        }
    }

    @AfterEach
    void restore() {
        log.close();
    }

    @Test
    @Timeout(30)
    void ticks_go_on_after_an_error() throws InterruptedException {
        CountDownLatch third = new CountDownLatch(3);
        try (Ticker ticker = Ticker.by(new Fast())) {
            ticker.start(() -> {
                third.countDown();
                throw new LinkageError("planted");
            });

            assertThat(third.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_pause_of_a_minute_is_one_tick() {
        Paused timer = new Paused(Duration.ofMinutes(1));
        AtomicInteger ticks = new AtomicInteger();
        try (Ticker ticker = Ticker.by(timer)) {
            ticker.start(ticks::incrementAndGet);

            timer.resume();
        }

        assertThat(ticks).hasValue(1);
    }

    @Test
    void error_of_one_action_is_logged_and_the_next_one_runs() {
        AtomicInteger called = new AtomicInteger();
        List<Runnable> actions = List.of(
                () -> {
                    throw new LinkageError("planted");
                },
                called::incrementAndGet);

        actions.forEach(Ticker::call);

        assertThat(called).hasValue(1);
        assertThat(log.records()).singleElement().satisfies(record -> {
            assertThat(record.getMessage()).isEqualTo("a check of a connection failed; the other checks continue");
            assertThat(record.getThrown()).isInstanceOf(LinkageError.class).hasMessage("planted");
        });
    }
}
