package dev.edl.runtime.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class KeyRenewalTest {
    @Test
    @Timeout(120)
    void keys_are_renewed_while_both_ends_write_and_while_one_end_only_reads() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        KeyRenewals.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            CompletableFuture<String> printed =
                    Pair.start(() -> new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("ends in time").isTrue();

            assertThat(Pair.result(printed)).isEqualTo("""
                            received true true
                            both write: true true
                            received true
                            received x
                            one writes: true true
                            ended -1 -1
                            """);
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
