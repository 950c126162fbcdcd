package dev.edl.runtime.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.LogRecords;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SlowCallLogTest {
    private static final Duration LIMIT = Duration.ofMillis(1);

    @Test
    void a_call_that_computes_is_slow_after_the_limit() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (LogRecords log = new LogRecords(SlowCallLog.class);
                SlowCallLog call = new SlowCallLog("the submit waits", LIMIT, () -> {
                    asked.incrementAndGet();
                    return LIMIT.toNanos();
                })) {
            assertThat(log.first().getMessage()).as("%s", call).isEqualTo("the submit waits");
        }
        assertThat(asked).hasValue(1);
    }

    @Test
    void a_call_that_waits_for_a_busy_machine_is_slow_after_six_limits() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (LogRecords log = new LogRecords(SlowCallLog.class);
                SlowCallLog call = new SlowCallLog("the submit waits", LIMIT, () -> {
                    asked.incrementAndGet();
                    return 0;
                })) {
            assertThat(log.first().getMessage()).as("%s", call).isEqualTo("the submit waits");
        }
        assertThat(asked).hasValue(6);
    }
}
