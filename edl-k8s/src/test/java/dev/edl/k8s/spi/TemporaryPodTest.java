package dev.edl.k8s.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.internal.WebSocketMessage;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;

@MockCluster
class TemporaryPodTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int PORT = 50003;

    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private final List<String> created = new ArrayList<>();

    @Test
    void a_broken_conversation_continues_on_a_new_connection() throws Exception {
        List<Integer> heard = new ArrayList<>();
        answers((byte) 7);
        FutureTask<Boolean> task = started(channel -> {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one);
            heard.add((int) one.get(0));
            return heard.size() < 2 ? Optional.of(new IOException("it broke")) : Optional.empty();
        });
        Polled.until("the pod", () -> pod() != null);
        runs();

        assertThat(task.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();

        assertThat(heard).containsExactly(7, 7);
        assertThat(created).containsExactly("edl-upload");
        assertThat(pod()).isNull();
    }

    @Test
    void a_failure_without_a_message_is_a_closed_connection() {
        assertThat(TemporaryPod.why(new EOFException())).isEqualTo("the connection was closed");
        assertThat(TemporaryPod.why(new IOException("it broke"))).isEqualTo("it broke");
    }

    @Test
    void an_ended_pod_is_reported_with_task_and_advice() {
        FutureTask<Boolean> task = started(channel -> Optional.empty());
        Polled.until("the pod", () -> pod() != null);
        client.pods()
                .inNamespace("test")
                .withName("edl-upload")
                .editStatus(there -> there.edit()
                        .withStatus(new PodStatusBuilder()
                                .withPhase("Failed")
                                .withContainerStatuses(new ContainerStatusBuilder()
                                        .withName("receiver")
                                        .withState(new ContainerStateBuilder()
                                                .withNewTerminated()
                                                .withExitCode(1)
                                                .withReason("Error")
                                                .withMessage("disk full\n")
                                                .endTerminated()
                                                .build())
                                        .build())
                                .build())
                        .build());

        assertThatThrownBy(() -> task.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .hasRootCauseMessage(
                        "not uploaded: pod edl-upload has ended with exit code 1: Error: disk full; try it");
        assertThat(pod()).isNull();
    }

    @Test
    void a_pod_that_cannot_start_with_its_spec_fails_at_once() {
        for (Map.Entry<String, String> reason : Map.of(
                        "InvalidImageName: Failed to apply default image tag \"A B\"",
                        "a valid image name is registry.example/team/name:tag",
                        "CreateContainerConfigError: container has runAsNonRoot and image will run as root",
                        "set PodOptions.runAsUser(1000), or build the image with a numeric user other than 0")
                .entrySet()) {
            FutureTask<Boolean> task = started(channel -> Optional.empty());
            Polled.until("the pod", () -> pod() != null);
            waits(reason.getKey());

            assertThatThrownBy(() -> task.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .hasRootCauseMessage(
                            "not uploaded: pod edl-upload cannot start: " + reason.getKey() + "; " + reason.getValue());
            assertThat(pod()).isNull();
        }
    }

    @Test
    void a_pod_whose_image_is_not_pulled_fails_before_the_limit() {
        FutureTask<Boolean> task = started(channel -> Optional.empty(), Duration.ofMillis(1));
        Polled.until("the pod", () -> pod() != null);
        waits("ErrImagePull: manifest unknown");

        assertThatThrownBy(() -> task.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .hasRootCauseMessage(
                        "not uploaded: pod edl-upload could not start for 1ms: ErrImagePull: manifest unknown;"
                                + " check the image's name and tag, and whether its registry needs an imagePullSecret");
    }

    @Test
    void each_reason_of_a_pod_that_waits_is_logged_once_and_the_pod_may_recover() throws Exception {
        List<String> logged = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                logged.add(entry.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger(TemporaryPod.class.getName());
        log.addHandler(handler);
        log.setUseParentHandlers(false);
        try {
            answers((byte) 7);
            FutureTask<Boolean> task = started(channel -> Optional.empty());
            Polled.until("the pod", () -> pod() != null);
            unscheduled("0/1 nodes are available: 1 Insufficient cpu");
            Polled.until("the first reason", () -> logged.size() == 1);
            waits("ErrImagePull: timeout");
            Polled.until("the second reason", () -> logged.size() == 2);
            waits("ErrImagePull: timeout again");
            runs();
            assertThat(task.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            log.removeHandler(handler);
            log.setUseParentHandlers(true);
        }

        assertThat(logged)
                .containsExactly(
                        "pod edl-upload waits: Unschedulable: 0/1 nodes are available: 1 Insufficient cpu; it starts"
                                + " once a node has capacity; a lower request or a higher priority helps",
                        "pod edl-upload cannot start: ErrImagePull: timeout; check the image's name and tag, and"
                                + " whether its registry needs an imagePullSecret");
    }

    @Test
    void a_program_that_is_interrupted_by_ctrl_c_deletes_the_pod() throws Exception {
        assumeThat(OS.WINDOWS.isCurrentOs())
                .describedAs("destroy() runs no shutdown hook on Windows")
                .isFalse();
        Process program = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Interrupted.class.getName(),
                        client.getMasterUrl().toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            Polled.until("the pod", () -> pod() != null);
            program.destroy();
            assertThat(program.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            program.destroyForcibly();
        }

        assertThat(pod()).isNull();
    }

    /** Program that waits for its pod. */
    static final class Interrupted {
        private Interrupted() {}

        public static void main(String[] args) throws Exception {
            Config config =
                    new ConfigBuilder(Config.empty()).withMasterUrl(args[0]).build();
            try (KubernetesClient client =
                    new KubernetesClientBuilder().withConfig(config).build()) {
                new TemporaryPod(client, uploadPod(), LIMIT, "not uploaded: ", () -> "")
                        .run(PORT, name -> Optional.empty(), wake -> () -> {}, one -> {}, channel -> Optional.empty());
            }
        }
    }

    private FutureTask<Boolean> started(TemporaryPod.Conversation conversation) {
        return started(conversation, LIMIT);
    }

    private FutureTask<Boolean> started(TemporaryPod.Conversation conversation, Duration patience) {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            new TemporaryPod(client, uploadPod(), LIMIT, "not uploaded: ", () -> "; try it", patience)
                    .run(PORT, one -> created.add(one.getMetadata().getName()), conversation);
            return true;
        });
        new Thread(task, "converses").start();
        return task;
    }

    private static Pod uploadPod() {
        return new PodBuilder()
                .withNewMetadata()
                .withName("edl-upload")
                .withNamespace("test")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("receiver")
                .endContainer()
                .endSpec()
                .build();
    }

    private Pod pod() {
        return client.pods().inNamespace("test").withName("edl-upload").get();
    }

    private void status(PodStatusBuilder status) {
        client.pods()
                .inNamespace("test")
                .withName("edl-upload")
                .editStatus(there -> there.edit().withStatus(status.build()).build());
    }

    private void unscheduled(String message) {
        status(new PodStatusBuilder()
                .withPhase("Pending")
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage(message)
                .endCondition());
    }

    /** Lets the kubelet report that the container waits. */
    private void waits(String reason) {
        String[] parts = reason.split(": ", 2);
        status(new PodStatusBuilder()
                .withPhase("Pending")
                .withContainerStatuses(new ContainerStatusBuilder()
                        .withName("receiver")
                        .withState(new ContainerStateBuilder()
                                .withNewWaiting()
                                .withReason(parts[0])
                                .withMessage(parts[1])
                                .endWaiting()
                                .build())
                        .build()));
    }

    private void runs() {
        client.pods()
                .inNamespace("test")
                .withName("edl-upload")
                .editStatus(there -> there.edit()
                        .withStatus(new PodStatusBuilder()
                                .withPhase("Running")
                                .withContainerStatuses(new ContainerStatusBuilder()
                                        .withName("receiver")
                                        .withState(new ContainerStateBuilder()
                                                .withNewRunning()
                                                .endRunning()
                                                .build())
                                        .build())
                                .build())
                        .build());
    }

    private void answers(byte one) {
        byte[] port = {(byte) (PORT & 0xff), (byte) (PORT >> 8)};
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/test/pods/edl-upload/portforward?ports=" + PORT)
                .andUpgradeToWebSocket()
                .open(message(0, port), message(1, port))
                .waitFor(0)
                .andEmit(message(0, new byte[] {one}))
                .done()
                .always();
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
}
