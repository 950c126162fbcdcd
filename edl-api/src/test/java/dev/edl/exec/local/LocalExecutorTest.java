package dev.edl.exec.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.exec.JobStatus;
import dev.edl.spec.CleanupPolicy;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
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
class LocalExecutorTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** The shell replaces it with its own process id. */
    private static final String PID = "$$";

    private static final String WAIT = "while :; do sleep 1; done";

    @TempDir
    Path folder;

    private final Lines lines = new Lines();
    private final LocalExecutor local =
            LocalExecutor.builder().logsTo(lines).grace(Duration.ofSeconds(5)).build();

    @AfterEach
    void nothing_is_left() {
        local.close();
        if (Files.isReadable(Path.of("/proc/self/environ"))) {
            assertThat(Processes.marked(ProcessHandle.current().pid())).isEmpty();
        }
    }

    private static JobBuilder workers(String name, int count, String script) {
        return Job.named(name).tensorflow().workers(count).command("sh", "-c", script);
    }

    private static long pid(String line) {
        return Long.parseLong(line.replaceAll(".* ", ""));
    }

    @Test
    void each_replica_is_a_process_whose_lines_carry_its_name() throws InterruptedException {
        Job job = workers("hello", 2, "echo out; echo err >&2").build();

        JobStatus end = local.submit(job).await(LIMIT);

        assertThat(end.phase()).isEqualTo(JobPhase.SUCCEEDED);
        assertThat(end.message()).isEqualTo("all 2 workers succeeded");
        assertThat(lines.all())
                .containsExactlyInAnyOrder("[worker-0] out", "[worker-0] err", "[worker-1] out", "[worker-1] err");
    }

    private static void until(BooleanSupplier holds) {
        long begin = System.nanoTime();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime() - begin).isLessThan(LIMIT.toNanos());
            Thread.onSpinWait();
        }
    }

    @Test
    void a_listener_given_at_submit_hears_every_event() throws InterruptedException {
        List<JobEvent> heard = new CopyOnWriteArrayList<>();

        LocalRun run = local.submit(workers("heard", 1, "exit 0").build(), heard::add);
        run.await(LIMIT);
        run.close();

        assertThat(heard).isEqualTo(run.events());
        assertThat(heard.get(0).message()).isEqualTo("created elasticdl-heard-worker-0");
    }

    @Test
    void a_suspended_job_has_no_process_until_it_is_resumed() throws Exception {
        LocalRun run = local.submit(workers("resting", 1, "echo up; " + WAIT).build());
        lines.next("[worker-0] up");

        run.suspend();
        until(() -> run.status().phase() == JobPhase.SUSPENDED
                && run.status().replicas().isEmpty());
        assertThat(Processes.marked(ProcessHandle.current().pid())).isEmpty();

        run.resume();
        lines.next("[worker-1] up");
    }

    @Test
    void a_replica_is_connected_to_by_loopback() throws Exception {
        LocalRun run = local.submit(workers("served", 1, "echo up; " + WAIT).build());
        lines.next("[worker-0] up");
        int closed;
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = listener.getLocalPort();
            try (ByteChannel channel = run.connect("worker-0", closed);
                    Socket other = listener.accept()) {
                channel.write(ByteBuffer.wrap(new byte[] {1, 2}));
                assertThat(other.getInputStream().readNBytes(2)).containsExactly(1, 2);
                other.getOutputStream().write(3);
                ByteBuffer answer = ByteBuffer.allocate(2);
                assertThat(channel.read(answer)).isEqualTo(1);
                other.close();
                assertThat(channel.read(answer)).isEqualTo(-1);
            }
        }

        assertThatThrownBy(() -> run.connect("worker-0", closed))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        "job \"served\": elasticdl-served-worker-0 does not answer on 127.0.0.1:" + closed + ": ");
        assertThatThrownBy(() -> run.connect("worker-0", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("port must be from 1 to 65535, was 0; for example 50001");
        assertThatThrownBy(() -> run.connect("worker-7", closed)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void an_exit_code_spends_a_relaunch_and_then_fails_the_job() throws InterruptedException {
        LocalRun run = local.submit(workers("failing", 1, "exit 3").build());

        JobStatus end = run.await(LIMIT);

        assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
        assertThat(end.message())
                .isEqualTo("All workers failed; the last one was elasticdl-failing-worker-1: exit code 3");
        assertThat(run.events().stream()
                        .filter(e -> e.type() != JobEvent.Type.REPLICA_RUNNING && e.type() != JobEvent.Type.JOB_RUNNING)
                        .map(JobEvent::message))
                .containsExactly(
                        "created elasticdl-failing-worker-0",
                        "elasticdl-failing-worker-0 failed: exit code 3",
                        "Relaunch the worker: elasticdl-failing-worker-0",
                        "created elasticdl-failing-worker-1",
                        "elasticdl-failing-worker-1 failed: exit code 3",
                        "elasticdl-failing-worker-1 is not relaunched: it has used 1 of 1 relaunches",
                        "All workers failed; the last one was elasticdl-failing-worker-1: exit code 3");
    }

    @Test
    void a_killed_worker_is_relaunched_with_new_id_and_same_address() throws Exception {
        String address = "; echo $TF_CONFIG; " + WAIT;
        LocalRun run = local.submit(
                workers("killed", 2, "echo up" + address).relaunchLimit(0).build());
        lines.next("[worker-0] up");
        long pid = run.pid("worker-0").orElseThrow();

        run.kill("worker-0");

        lines.next("[worker-2] up");
        assertThat(lines.next(line -> line.startsWith("[worker-2] {")))
                .endsWith("\"task\":{\"type\":\"worker\",\"index\":0}}");
        Processes.awaitGone(pid);
        // Its successor may write a line before the events of the pass that started it are emitted.
        until(() -> run.events().stream()
                .map(JobEvent::message)
                .anyMatch("elasticdl-killed-worker-0 failed: exit code 137"::equals));
        assertThat(run.plan().replica(dev.edl.spec.RoleType.WORKER, 2, 0).endpoint())
                .isEqualTo(run.plan().replica("worker", 0).endpoint());
    }

    @Test
    void children_of_a_killed_program_end_even_in_their_own_session() throws Exception {
        Path once = folder.resolve("once");
        LocalRun run = local.submit(workers(
                        "session",
                        1,
                        "[ -f " + once + " ] && exit 0; touch " + once
                                + "; perl -MPOSIX -e '$|=1; setsid; print \"child " + PID
                                + "\\n\"; exec qw(sleep 300)' & " + WAIT)
                .build());
        String line = lines.next(l -> l.startsWith("[worker-0] child "));

        run.kill("worker-0");

        assertThat(run.await(LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
        Processes.awaitGone(pid(line));
    }

    @Test
    void servers_that_never_end_are_ended_when_the_leader_is_done() throws Exception {
        Job job = Job.named("led")
                .tensorflow()
                .chief()
                .command("sh", "-c", "until [ -f " + folder.resolve("seen") + " ]; do sleep 0.05; done")
                .ps(2)
                .command("sh", "-c", "echo server " + PID + "; " + WAIT)
                .build();
        LocalRun run = local.submit(job);
        long first = pid(lines.next(l -> l.contains("server")));
        Files.createFile(folder.resolve("seen"));

        assertThat(run.await(LIMIT).message()).isEqualTo("elasticdl-led-chief succeeded");

        Processes.awaitGone(first);
    }

    @Test
    void replicas_kept_by_the_cleanup_policy_end_at_close() throws Exception {
        Job job = Job.named("kept")
                .tensorflow()
                .cleanup(CleanupPolicy.NONE)
                .master()
                .command("true")
                .workers(1)
                .command("sh", "-c", "echo worker " + PID + "; " + WAIT)
                .build();
        LocalRun run = local.submit(job);
        long worker = pid(lines.next(l -> l.contains("worker")));
        run.await(LIMIT);
        assertThat(ProcessHandle.of(worker)).isPresent();

        run.close();

        Processes.awaitGone(worker);
    }

    @Test
    void workers_are_added_and_removed_while_the_job_runs() throws Exception {
        LocalRun run = local.submit(workers("elastic", 1, "trap 'echo bye; exit 0' TERM; echo up; " + WAIT)
                .elastic(1, 4)
                .build());
        lines.next("[worker-0] up");

        run.scale("worker", 3);
        lines.next(line -> line.matches("\\[worker-[12]] up"));
        lines.next(line -> line.matches("\\[worker-[12]] up"));
        run.scale("worker", 2);

        lines.next("[worker-2] bye");
    }

    @Test
    void a_successor_waits_for_the_address_of_a_terminating_worker() throws Exception {
        LocalRun run = local.submit(workers("deleted", 1, "trap 'echo bye; exit 0' TERM; echo up; " + WAIT)
                .build());
        lines.next("[worker-0] up");

        run.delete("worker-0");

        lines.next("[worker-0] bye");
        lines.next("[worker-1] up");
        // TERM goes to all processes of the replica, so its shell reports the end of its sleep.
        assertThat(lines.all())
                .filteredOn(line -> !line.endsWith(" Terminated"))
                .containsExactly("[worker-0] up", "[worker-0] bye", "[worker-1] up");
    }

    @Test
    void a_process_that_ignores_term_is_killed_after_the_grace_period() throws Exception {
        try (LocalExecutor strict = LocalExecutor.builder()
                .logsTo(lines)
                .grace(Duration.ofMillis(300))
                .build()) {
            strict.submit(workers("deaf", 1, "trap '' TERM; echo deaf " + PID + "; " + WAIT)
                    .build());
            long pid = pid(lines.next(l -> l.contains("deaf")));

            strict.close();

            Processes.awaitGone(pid);
        }
    }

    @Test
    void a_job_that_runs_too_long_fails_and_its_processes_go() throws Exception {
        LocalRun run = local.submit(workers("late", 1, "echo up " + PID + "; " + WAIT)
                .deadline(Duration.ofSeconds(5))
                .build());
        long pid = pid(lines.next(l -> l.contains("up")));

        assertThat(run.await(LIMIT).message()).isEqualTo("ran longer than its deadline of 5s");

        Processes.awaitGone(pid);
    }

    @Test
    void files_keep_what_each_replica_wrote_byte_for_byte() throws Exception {
        try (LocalExecutor files = LocalExecutor.builder().logsIn(folder).build()) {
            String script = "printf 'a\\377b\\nno end'; [ \"$PATH\" = /bin:/usr/bin ] && exit 0";
            files.submit(workers("files", 1, script)
                            .env("PATH", "/bin:/usr/bin")
                            .build())
                    .await(LIMIT);
            files.submit(workers("files", 1, script)
                            .env("PATH", "/bin:/usr/bin")
                            .build())
                    .await(LIMIT);
        }

        byte[] expected = {'a', (byte) 0xFF, 'b', '\n', 'n', 'o', ' ', 'e', 'n', 'd'};
        assertThat(Files.readAllBytes(folder.resolve("elasticdl-files-worker-0.log")))
                .isEqualTo(expected);
        assertThat(Files.readAllBytes(folder.resolve("elasticdl-files-worker-0.2.log")))
                .isEqualTo(expected);
    }

    @Test
    void a_process_gets_the_plan_and_path_and_home_and_nothing_else() throws Exception {
        Job job = workers("bare", 2, "env | sed 's/=.*//' | sort | tr '\\n' ' '")
                .env("code", "7")
                .build();

        local.submit(job).await(LIMIT);

        List<String> names = List.of(lines.next(l -> true).split(" "));
        assertThat(names.subList(1, names.size()))
                .filteredOn(name -> !List.of("PWD", "SHLVL", "_", "OLDPWD").contains(name))
                .containsExactlyInAnyOrder("EDL_LOCAL_REPLICA", "HOME", "PATH", "TF_CONFIG", "code");
    }

    @Test
    void the_environment_names_ports_of_loopback() throws Exception {
        Job job = Job.named("ports")
                .master()
                .command("sh", "-c", "echo $MASTER_ADDR $PS_ADDRS; echo $0 '$(HOME)'", "$(JOB_NAME)-$$(X)-$(NONE)")
                .ps(2)
                .command("sh", "-c", WAIT)
                .workers(1)
                .command("sh", "-c", WAIT)
                .build();

        LocalRun run = local.submit(job);
        run.await(LIMIT);

        assertThat(lines.next(l -> true))
                .matches("\\[master] 127\\.0\\.0\\.1:[23]\\d{4} 127\\.0\\.0\\.1:[23]\\d{4},127\\.0\\.0\\.1:[23]\\d{4}");
        assertThat(lines.next(l -> true)).isEqualTo("[master] $(JOB_NAME)-$$(X)-$(NONE) $(HOME)");
        assertThat(run.plan().toYaml()).contains("addresses:\n").contains("127.0.0.1:");
        assertThat(run.plan().runId()).isEqualTo(job.plan().runId());
    }

    @Test
    void a_job_of_the_same_name_is_refused_while_the_first_runs() {
        local.submit(workers("twice", 1, WAIT).build());

        assertThatThrownBy(() -> local.submit(workers("twice", 1, WAIT).build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"twice\" is running here; wait for its end, or close it");
    }

    @Test
    void a_closed_executor_takes_no_job_and_leaves_no_thread() {
        local.submit(workers("closing", 2, WAIT).build());

        local.close();

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("closing"));
        assertThatThrownBy(() -> local.submit(workers("after", 1, WAIT).build()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job \"after\" cannot start: the executor is closed");
    }

    @Test
    void a_killed_server_is_started_again_under_its_name_and_address() throws Exception {
        Job job = Job.named("server")
                .tensorflow()
                .ps(1)
                .command("sh", "-c", "echo up $TF_CONFIG; " + WAIT)
                .workers(1)
                .command("sh", "-c", WAIT)
                .build();
        LocalRun run = local.submit(job);
        String before = lines.next(l -> l.contains("up"));

        run.kill("ps-0");

        assertThat(lines.next(l -> l.contains("up"))).isEqualTo(before);
        assertThat(run.events().stream().map(JobEvent::message))
                .contains("elasticdl-server-ps-0 failed: exit code 137", "Relaunch the ps: elasticdl-server-ps-0");
    }

    @Test
    void a_hundred_replicas_run_and_go() throws Exception {
        Job job = Job.named("many")
                .tensorflow()
                .ps(50)
                .command("sh", "-c", "echo up; " + WAIT)
                .workers(49)
                .command("sh", "-c", "echo up; " + WAIT)
                .chief()
                .command("sh", "-c", "echo up; " + WAIT)
                .build();
        LocalRun run = local.submit(job);
        for (int i = 0; i < 100; i++) {
            lines.next(line -> line.endsWith("] up"));
        }

        run.cancel();
        assertThat(run.await(LIMIT).phase()).isEqualTo(JobPhase.CANCELLED);
        local.close();

        assertThat(local.jobs()).hasSize(1);
    }

    @Test
    void a_replica_deleted_before_its_start_never_starts() {
        for (int i = 0; i < 10; i++) {
            local.submit(workers("early-" + i, 2, WAIT).build()).close();
        }
    }

    @Test
    void output_without_a_line_end_is_followed_in_pieces() throws Exception {
        Job job = workers("long", 1, "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end")
                .build();

        local.submit(job).await(LIMIT);

        List<String> all = lines.all();
        assertThat(all).hasSize(47).endsWith("[worker-0] end");
        assertThat(all.stream()
                        .mapToInt(line -> line.length() - "[worker-0] ".length())
                        .sum())
                .isEqualTo(3_000_003);
    }

    @Test
    void a_log_reader_that_throws_is_removed_and_the_job_continues() throws Exception {
        try (LocalExecutor careless = LocalExecutor.builder()
                .logsTo(line -> {
                    throw new IllegalStateException("disk full");
                })
                .logsTo(lines)
                .build()) {
            JobStatus end = careless.submit(
                            workers("reader", 1, "echo one; echo two").build())
                    .await(LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.SUCCEEDED);
        }
        assertThat(lines.all()).containsExactly("[worker-0] one", "[worker-0] two");
    }

    @Test
    void kill_and_pid_reject_a_replica_that_does_not_run() throws Exception {
        LocalRun run = local.submit(workers("named", 1, "echo up; " + WAIT).build());
        lines.next("[worker-0] up");

        assertThat(run.pid("worker-0")).isEqualTo(run.pid("elasticdl-named-worker-0"));
        assertThatThrownBy(() -> run.kill("worker-7"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("job \"named\" has no running replica \"worker-7\"; running are worker-0");
    }
}
