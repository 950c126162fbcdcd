package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.dsl.TimesOnceableOrHttpHeaderable;
import io.fabric8.mockwebserver.internal.WebSocketMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads of files by a reader pod, whose kubelet and program the test simulates: the mock runs nothing and forwards no
 * port.
 */
@MockCluster
class FileReadTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Delay of the answer after a connection: the mock then ends it, and the key must be sent before. */
    private static final Duration CALL = Duration.ofMillis(500);

    private static final byte[] REFUSED = "connection refused".getBytes(StandardCharsets.US_ASCII);
    private static final String PATH = "/data/model.npz";
    /** Digest of "abc": FIPS 180-2, appendix B.1. */
    private static final String SHA_256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    @SuppressWarnings("NullAway.Init")
    private KubernetesExecutor executor;

    @SuppressWarnings("NullAway.Init")
    private KubernetesRun run;

    @TempDir
    Path folder;

    @BeforeEach
    void a_job_runs() {
        executor = KubernetesExecutor.using(client);
        run = executor.submit(job(Map.of("EDL_TOKEN_FILE", "/run/edl/token")));
    }

    @AfterEach
    void it_is_driven_no_more() {
        executor.close();
    }

    private static Job job(Map<String, String> env) {
        return Job.named("mnist")
                .namespace("test")
                .image("mnist:1")
                .volume("mount_path=/data,claim_name=fileserver-claim")
                .env(env)
                .master()
                .workers(1)
                .build();
    }

    private <T> FutureTask<T> started(Callable<T> read) {
        FutureTask<T> task = new FutureTask<>(read);
        new Thread(task, "reads a file").start();
        return task;
    }

    private Optional<Pod> readers() {
        return client.pods().inNamespace("test").list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith("elasticdl-mnist-reader-"))
                .findFirst();
    }

    private Pod reader() {
        Polled.until("a reader's pod", () -> readers().isPresent());
        return readers().orElseThrow();
    }

    private void status(Pod pod, PodStatus status) {
        client.pods()
                .inNamespace("test")
                .withName(pod.getMetadata().getName())
                .editStatus(there -> there.edit().withStatus(status).build());
    }

    private static PodStatus running() {
        return new PodStatusBuilder()
                .withPhase("Running")
                .withContainerStatuses(new ContainerStatusBuilder()
                        .withName("elasticdl")
                        .withState(new ContainerStateBuilder()
                                .withNewRunning()
                                .endRunning()
                                .build())
                        .build())
                .build();
    }

    private static WebSocketMessage message(int stream, byte[] bytes) {
        return new WebSocketMessage(
                0L,
                ByteBuffer.allocate(1 + bytes.length)
                        .put((byte) stream)
                        .put(bytes)
                        .array(),
                true,
                true);
    }

    /** Sets what the pod's program sends to each caller, or what the API server sends instead. */
    private void sends(Pod pod, int stream, byte[] bytes) {
        answer(pod, stream, bytes).always();
    }

    private TimesOnceableOrHttpHeaderable<Void> answer(Pod pod, int stream, byte[] bytes) {
        byte[] port = {0x53, (byte) 0xc3};
        return server.expect()
                .get()
                .withPath(ports(pod))
                .andUpgradeToWebSocket()
                .open(message(0, port), message(1, port))
                .waitFor(CALL.toMillis())
                .andEmit(message(stream, bytes))
                .done();
    }

    private void awaitConnection(Pod pod) throws InterruptedException {
        String path;
        do {
            path = Objects.requireNonNull(server.takeRequest(LIMIT.toSeconds(), TimeUnit.SECONDS), "no connection")
                    .getPath();
        } while (!ports(pod).equals(path));
    }

    private static String ports(Pod pod) {
        return "/api/v1/namespaces/test/pods/" + pod.getMetadata().getName() + "/portforward?ports=50003";
    }

    private static byte[] sent(String text, String digest) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(8 + bytes.length + 32)
                .putLong(bytes.length)
                .put(bytes)
                .put(HexFormat.of().parseHex(digest))
                .array();
    }

    private static <T> T got(FutureTask<T> read) throws Exception {
        return read.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void a_file_is_read_once_its_pod_answers_and_the_pod_is_deleted() throws Exception {
        FutureTask<byte[]> read = started(() -> run.read(PATH, LIMIT));
        Pod pod = reader();
        // The program is not listening yet.
        answer(pod, 1, REFUSED).once();
        sends(pod, 0, sent("abc", SHA_256));
        status(pod, running());

        assertThat(got(read)).asString(StandardCharsets.US_ASCII).isEqualTo("abc");

        assertThat(readers()).isEmpty();
    }

    @Test
    void a_reader_pod_is_no_replica() throws Exception {
        FutureTask<byte[]> read = started(() -> run.read(PATH, LIMIT));
        Pod pod = reader();
        sends(pod, 0, sent("abc", SHA_256));
        status(pod, running());

        assertThat(run.status().replicas())
                .extracting(replica -> replica.name())
                .allMatch(name -> name.matches("elasticdl-mnist-(master|worker-0)"));
        assertThat(pod.getMetadata().getOwnerReferences())
                .extracting(owner -> owner.getName())
                .containsExactly("edl-job-mnist");
        assertThat(got(read)).hasSize(3);
    }

    @Test
    void a_complete_file_replaces_the_local_one() throws Exception {
        Path to = Files.writeString(folder.resolve("model.npz"), "before");
        FutureTask<Path> cut = started(() -> {
            run.read(PATH, LIMIT, to);
            return to;
        });
        Pod first = reader();
        sends(first, 0, new byte[] {0, 0, 0, 0, 0, 0, 0, 3, 'a'});
        status(first, running());
        // The mock determines the end: code 1000, or 1002 if the key comes late.
        assertThatThrownBy(() -> got(cut)).hasCauseInstanceOf(IOException.class);
        assertThat(to).hasContent("before");

        FutureTask<Path> whole = started(() -> {
            run.read(PATH, LIMIT, to);
            return to;
        });
        Pod second = reader();
        sends(second, 0, sent("abc", SHA_256));
        status(second, running());

        assertThat(got(whole)).hasContent("abc");
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()).collect(Collectors.toList()))
                    .isEqualTo(List.of("model.npz"));
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void a_file_has_the_permissions_of_any_other_new_file() throws Exception {
        Path to = folder.resolve("model.npz");
        FutureTask<Path> read = started(() -> {
            run.read(PATH, LIMIT, to);
            return to;
        });
        Pod pod = reader();
        sends(pod, 0, sent("abc", SHA_256));
        status(pod, running());

        Path other = Files.createFile(folder.resolve("other"));
        assertThat(Files.getPosixFilePermissions(got(read))).isEqualTo(Files.getPosixFilePermissions(other));
    }

    @Test
    void bytes_that_were_changed_in_transit_are_refused() {
        FutureTask<byte[]> read = started(() -> run.read(PATH, LIMIT));
        Pod pod = reader();
        sends(pod, 0, sent("abd", SHA_256));
        status(pod, running());

        assertThatThrownBy(() -> got(read))
                .hasRootCauseMessage("job \"mnist\": /data/model.npz was not read: its SHA-256"
                        + " does not match; it was changed in transit");
    }

    @Test
    void a_refusal_of_the_program_keeps_its_message() {
        FutureTask<byte[]> read = started(() -> run.read("/data", LIMIT));
        FutureTask<byte[]> missing = started(() -> run.read(PATH, LIMIT));
        assertThatThrownBy(() -> got(read))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalArgumentException.class);
        Pod pod = reader();
        byte[] reason = "/data/model.npz does not exist".getBytes(StandardCharsets.US_ASCII);
        sends(
                pod,
                0,
                ByteBuffer.allocate(10 + reason.length)
                        .putLong(-1)
                        .putShort((short) reason.length)
                        .put(reason)
                        .array());
        status(pod, running());

        assertThatThrownBy(() -> got(missing))
                .hasRootCauseMessage("job \"mnist\": /data/model.npz was not read: /data/model.npz does not exist");
        assertThat(readers()).isEmpty();
    }

    @Test
    void an_ended_program_is_reported_with_its_exit_code() {
        FutureTask<byte[]> read = started(() -> run.read(PATH, LIMIT));
        Pod pod = reader();
        status(
                pod,
                new PodStatusBuilder()
                        .withPhase("Failed")
                        .withContainerStatuses(new ContainerStatusBuilder()
                                .withName("elasticdl")
                                .withState(new ContainerStateBuilder()
                                        .withNewTerminated()
                                        .withExitCode(64)
                                        .withReason("Error")
                                        .withMessage("EDL_ROLE must be master, ps or worker, was \"reader\"\n")
                                        .endTerminated()
                                        .build())
                                .build())
                        .build());

        assertThatThrownBy(() -> got(read))
                .hasRootCauseMessage(
                        "job \"mnist\": /data/model.npz was not read: pod "
                                + pod.getMetadata().getName()
                                + " has ended with exit code 64: Error: EDL_ROLE must be master, ps or"
                                + " worker, was \"reader\"; the image's program must call TrainingProgram.run of this version of EDL");
        assertThat(readers()).isEmpty();
    }

    @Test
    void a_deleted_pod_is_reported_at_once() throws Exception {
        FutureTask<byte[]> read = started(() -> run.read(PATH, LIMIT));
        Pod pod = reader();
        sends(pod, 1, REFUSED);
        status(pod, running());
        // So it was observed.
        awaitConnection(pod);

        client.resource(pod).withGracePeriod(0).delete();

        assertThatThrownBy(() -> got(read))
                .hasCauseInstanceOf(IOException.class)
                .cause()
                .hasMessage("job \"mnist\": /data/model.npz was not read: pod "
                        + pod.getMetadata().getName() + " was deleted");
    }

    @Test
    void a_pod_that_does_not_run_in_time_is_reported_and_deleted() {
        assertThatThrownBy(() -> run.read(PATH, Duration.ofMillis(1)))
                .isInstanceOf(IOException.class)
                .hasMessageMatching("job \"mnist\": /data/model.npz was not read: pod"
                        + " elasticdl-mnist-reader-[0-9a-f]{8}"
                        + " does not run within 1ms; its events may have the reason: kubectl get events"
                        + " --namespace test --field-selector involvedObject.name=elasticdl-mnist-reader-[0-9a-f]{8}");
        assertThat(readers()).isEmpty();
    }

    @Test
    void a_program_that_does_not_listen_is_reported_at_the_limit() {
        FutureTask<byte[]> read = started(() -> run.read(PATH, Duration.ofSeconds(2)));
        Pod pod = reader();
        sends(pod, 1, REFUSED);
        status(pod, running());

        assertThatThrownBy(() -> got(read))
                .hasCauseInstanceOf(IOException.class)
                .cause()
                .hasMessageStartingWith("job \"mnist\": /data/model.npz was not read: pod "
                        + pod.getMetadata().getName() + " has not answered within 2s: cannot connect to "
                        + pod.getMetadata().getName() + ":50003: ")
                .hasMessageEndingWith("; the image's program must call TrainingProgram.run of this version of EDL");
    }

    @Test
    void an_api_server_that_does_not_connect_ends_the_read_at_once() {
        FutureTask<byte[]> read = started(() -> run.read(PATH, LIMIT));
        Pod pod = reader();
        server.expect().get().withPath(ports(pod)).andReturn(403, "no").once();
        status(pod, running());

        assertThatThrownBy(() -> got(read))
                .hasCauseInstanceOf(IOException.class)
                .cause()
                .hasMessageStartingWith(
                        "cannot connect to " + pod.getMetadata().getName() + ":50003: the API server answers 403");
        assertThat(readers()).isEmpty();
    }

    @Test
    void an_interrupt_ends_the_read_and_its_pod() throws Exception {
        Thread reading = new Thread(() -> {
            try {
                run.read(PATH, LIMIT);
            } catch (InterruptedException expected) {
                Thread.currentThread().interrupt();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        reading.start();
        reader();

        reading.interrupt();
        reading.join(LIMIT.toMillis());

        assertThat(reading.isAlive()).isFalse();
        assertThat(readers()).isEmpty();
    }

    @Test
    void a_closed_run_reads_nothing() {
        run.close();

        assertThatThrownBy(() -> run.read(PATH, LIMIT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job \"mnist\": /data/model.npz cannot be read: this KubernetesRun is closed;"
                        + " attach to the job again");
    }
}
