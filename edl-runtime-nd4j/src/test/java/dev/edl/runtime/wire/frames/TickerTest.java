package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.LogRecords;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a ticker with an action that throws. */
class TickerTest {
    private final LogRecords log = new LogRecords(Ticker.class);

    /** Ticks without delay. */
    private static final class Fast extends ScheduledThreadPoolExecutor {
        private Fast() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long first, long period, TimeUnit unit) {
            return super.scheduleAtFixedRate(command, 0, 1, TimeUnit.NANOSECONDS);
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
