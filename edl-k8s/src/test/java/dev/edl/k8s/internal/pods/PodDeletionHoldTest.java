package dev.edl.k8s.internal.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.exec.Subscription;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PodDeletionHoldTest {
    private final AtomicLong time = new AtomicLong();
    private final PodDeletionHold logs = new PodDeletionHold(time::get);
    private final Pod lingering = pod("running: {}");

    private static Pod pod(String proxy) {
        return Serialization.unmarshal("""
                metadata: {name: w, uid: u1}
                spec: {restartPolicy: Never, containers: [{name: proxy}, {name: elasticdl}]}
                status:
                  phase: Running
                  containerStatuses:
                  - {name: proxy, state: {%s}}
                  - {name: elasticdl, state: {terminated: {exitCode: 0}}}
                """.formatted(proxy), Pod.class);
    }

    @Test
    void a_pod_that_a_sidecar_keeps_waits_for_its_log_reader() {
        try (Subscription reader = logs.add(lingering::equals)) {
            assertThat(reader).isNotNull();
            assertThat(logs.hold(lingering)).isTrue();
        }
        assertThat(logs.hold(lingering)).isFalse();
    }

    @Test
    void a_log_that_was_read_holds_no_pod() {
        logs.add(pod -> false);

        assertThat(logs.hold(lingering)).isFalse();
    }

    @Test
    void a_reader_that_does_not_return_holds_a_pod_no_longer_than_a_minute() {
        logs.add(pod -> true);
        assertThat(logs.hold(lingering)).isTrue();

        time.addAndGet(PodDeletionHold.LIMIT.toNanos() - 1);
        assertThat(logs.hold(lingering)).isTrue();
        time.addAndGet(1);
        assertThat(logs.hold(lingering)).isFalse();
    }

    @Test
    void a_pod_that_ends_by_itself_or_runs_does_not_wait() {
        logs.add(pod -> true);
        Pod runs = pod("running: {}");
        runs.getStatus().getContainerStatuses().get(1).getState().setTerminated(null);

        assertThat(logs.hold(pod("terminated: {exitCode: 0}"))).isFalse();
        assertThat(logs.hold(runs)).isFalse();
    }
}
