package dev.edl.k8s.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.Polled;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatchOutageTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final PodHandler NO_HANDLER = new PodHandler() {
        @Override
        public void changed(Pod pod) {}

        @Override
        public void deleted(Pod pod) {}

        @Override
        public void resync() {}
    };

    private Instant now = START;

    @Test
    void an_outage_counts_from_the_last_connected_check() {
        WatchOutage outage = new WatchOutage(() -> now);
        now = START.plusSeconds(60);
        assertThat(outage.since(true)).isEmpty();

        now = START.plusSeconds(70);
        assertThat(outage.since(false)).contains(START.plusSeconds(60));
        now = START.plusSeconds(600);
        assertThat(outage.since(false)).contains(START.plusSeconds(60));
    }

    @Test
    void an_outage_is_over_once_the_watch_is_connected_again() {
        WatchOutage outage = new WatchOutage(() -> now);
        now = START.plusSeconds(600);
        assertThat(outage.since(false)).contains(START);

        assertThat(outage.since(true)).isEmpty();
        now = START.plusSeconds(601);
        assertThat(outage.since(false)).contains(START.plusSeconds(600));
    }

    @Test
    void a_watch_of_pods_is_interrupted_once_its_server_is_gone() {
        KubernetesMockServer server = new KubernetesMockServer(
                new Context(), new MockWebServer(), new HashMap<>(), new KubernetesCrudDispatcher(), false);
        server.init();
        try (KubernetesClient client = server.createClient();
                PodWatch pods = ClusterApi.of(client, "test")
                        .watchPods(Map.of("app", "mnist"), NO_HANDLER, "the pods of a test")) {
            assertThat(pods.staleSince()).isEmpty();
            server.destroy();

            Polled.until("it is interrupted", () -> pods.staleSince().isPresent());
            assertThat(pods.list()).isEmpty();
        }
    }
}
