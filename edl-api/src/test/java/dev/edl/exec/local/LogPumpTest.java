package dev.edl.exec.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LogPumpTest {
    @Test
    void a_blocked_reader_is_interrupted_and_gets_no_further_line() throws InterruptedException {
        List<String> lines = new ArrayList<>();
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        LogPump pump = new LogPump(
                "worker-0",
                new ByteArrayInputStream("7\none\ntwo\n".getBytes(StandardCharsets.US_ASCII)),
                file,
                line -> {
                    lines.add(line);
                    reading.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                },
                pid -> {},
                Duration.ofMillis(10));
        pump.start();
        assertThat(reading.await(30, TimeUnit.SECONDS)).isTrue();

        pump.finish();

        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        pump.finish();
        assertThat(lines).containsExactly("one");
        assertThat(file).hasToString("one\ntwo\n");
    }
}
