package dev.edl.k8s.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.internal.WebSocketMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

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

    private FutureTask<Boolean> started(TemporaryPod.Conversation conversation) {
        Pod pod = new PodBuilder()
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
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            new TemporaryPod(client, pod, LIMIT, "not uploaded: ", () -> "; try it")
                    .run(PORT, one -> created.add(one.getMetadata().getName()), conversation);
            return true;
        });
        new Thread(task, "converses").start();
        return task;
    }

    private Pod pod() {
        return client.pods().inNamespace("test").withName("edl-upload").get();
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
