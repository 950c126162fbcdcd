package dev.edl.exec.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "there are no such processes; LocalPlanCheckTest has the refusal")
class LocalSettingsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String WAIT = "while :; do sleep 1; done";

    @TempDir
    Path folder;

    private final Lines lines = new Lines();
    private final LocalExecutor local =
            LocalExecutor.builder().logsTo(lines).grace(Duration.ofSeconds(5)).build();

    @AfterEach
    void nothing_is_left() {
        local.close();
    }

    private static JobBuilder workers(String name, int count, String script) {
        return Job.named(name).tensorflow().workers(count).command("sh", "-c", script);
    }

    @Test
    void a_failure_with_a_taken_port_has_the_port_as_its_reason() throws Exception {
        LocalRun run = local.submit(workers("port", 1, "echo up; read -r line < " + fifo())
                .relaunchLimit(0)
                .build());
        int port = run.plan().replica("worker", 0).endpoint().port();
        lines.next("[worker-0] up");
        try (ServerSocket other = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(other.isBound()).isTrue();
            Files.writeString(folder.resolve("fifo"), "go");

            assertThat(run.await(LIMIT).message())
                    .isEqualTo(
                            "All workers failed; the last one was elasticdl-port-worker-0: exit code 1 (another program"
                                    + " listens on its port " + port + ")");
        }
    }

    /** Returns a named pipe that blocks its reader; it gets no whole line, and read fails with 1. */
    private Path fifo() throws Exception {
        Path fifo = folder.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        return fifo;
    }

    @Test
    void replicas_run_in_their_configured_directories() throws Exception {
        Path chief = Files.createDirectory(folder.resolve("chief"));
        Files.writeString(folder.resolve("here.sh"), "#!/bin/sh\npwd\n");
        assertThat(folder.resolve("here.sh").toFile().setExecutable(true)).isTrue();
        Job job = Job.named("where")
                .tensorflow()
                .chief()
                .command("../here.sh")
                .workers(1)
                .command("./here.sh")
                .success(SuccessPolicy.ALL_WORKERS)
                .build();

        try (LocalExecutor there = LocalExecutor.builder()
                        .logsTo(lines)
                        .directory(folder)
                        .directory(RoleType.CHIEF, chief)
                        .build();
                LocalRun run = there.submit(job)) {
            run.await(LIMIT);
            assertThat(List.of(lines.next(l -> true), lines.next(l -> true)))
                    .containsExactlyInAnyOrder("[chief] " + chief.toRealPath(), "[worker-0] " + folder.toRealPath());
        }
        try (LocalExecutor nowhere =
                LocalExecutor.builder().directory(folder.resolve("none")).build()) {
            assertThatThrownBy(
                            () -> nowhere.submit(workers("nowhere", 1, "true").build()))
                    .hasMessage("job \"nowhere\" cannot run as local processes: worker runs in "
                            + folder.resolve("none")
                            + ", which must be an existing directory; create it or set another one, for example"
                            + " .directory(Path.of(\"work\"))");
        }
    }

    @Test
    void logs_that_cannot_be_kept_are_refused_before_anything_starts() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        try (LocalExecutor files = LocalExecutor.builder().logsIn(file).build()) {
            assertThatThrownBy(() -> files.submit(workers("kept", 1, "true").build()))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("logs cannot be written to " + file + ": java.nio.file.FileAlreadyExistsException:"
                            + " " + file
                            + "; set a directory that this user may write to, for example .logsIn(Path.of(\"logs\"))");
            assertThat(files.jobs()).isEmpty();
        }
    }

    @Test
    void a_listener_may_ask_the_executor_while_it_closes() throws Exception {
        LocalExecutor asked = LocalExecutor.builder().build();
        LocalRun run = asked.submit(workers("asked", 1, WAIT).build());
        CountDownLatch heard = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        run.onEvent(event -> {
            heard.countDown();
            try {
                if (closing.await(30, TimeUnit.SECONDS)) {
                    asked.jobs();
                    answered.countDown();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        run.cancel();
        assertThat(heard.await(30, TimeUnit.SECONDS)).isTrue();

        Thread closer = new Thread(asked::close);
        closer.start();
        closing.countDown();

        closer.join(30_000);
        assertThat(closer.isAlive()).isFalse();
        assertThat(answered.getCount()).isZero();
    }
}
