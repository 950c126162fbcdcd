package dev.edl.k8s.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.exec.RetryPolicy;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Refused;
import dev.edl.spec.Backoff;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.logging.Logger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Kubernetes Events about failures: one for each cause, with a count, and none that stops a job. */
@MockCluster
class EventRecorderTest {
    private static final String QUOTA = "pods is forbidden: exceeded quota: four-pods";

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private static Job job() {
        return Job.named("mnist")
                .namespace("test")
                .image("mnist:1")
                .tensorflow()
                .workers(2)
                .build();
    }

    private static ObjectReference object(String name) {
        return new ObjectReferenceBuilder()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withNamespace("test")
                .withName(name)
                .withUid("uid-of-" + name)
                .build();
    }

    private List<Event> events() {
        return client.v1().events().inNamespace("test").list().getItems();
    }

    private Event await(Predicate<Event> which) {
        return client
                .v1()
                .events()
                .inNamespace("test")
                .informOnCondition(all -> all.stream().anyMatch(which))
                .orTimeout(30, TimeUnit.SECONDS)
                .join()
                .stream()
                .filter(which)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void repetitions_are_one_event_whose_count_is_written_once_a_minute() {
        try (EventRecorder events = new EventRecorder(client, () -> now)) {
            for (int i = 0; i < 5; i++) {
                events.warn(object("edl-job-mnist"), "FailedCreate", "ExceededQuota", QUOTA);
            }
            Event first = await(event -> true);
            assertThat(first.getCount()).isBetween(1, 5);
            now = now.plusSeconds(60);
            events.warn(object("edl-job-mnist"), "FailedCreate", "ExceededQuota", QUOTA);

            Event again = await(event -> event.getCount() == 6);
            assertThat(again.getLastTimestamp()).isEqualTo("2026-01-01T00:01:00Z");
            assertThat(again.getFirstTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
            assertThat(events()).hasSize(1);
        }
    }

    @Test
    void another_cause_is_another_event() {
        try (EventRecorder events = new EventRecorder(client, () -> now)) {
            events.warn(object("edl-job-mnist"), "FailedCreate", "ExceededQuota", QUOTA);
            events.warn(object("edl-job-mnist"), "FailedCreate", "WebhookFailed", "failed calling webhook");
            await(event -> event.getMessage().startsWith("failed calling webhook"));

            assertThat(events()).hasSize(2);
        }
    }

    @Test
    void a_refused_pod_is_an_event_on_the_record_of_its_job() {
        Refused.create(server, "pods", 403, "Forbidden", QUOTA).always();
        try (KubernetesExecutor executor = executor();
                KubernetesRun run = executor.submit(job())) {
            Event event = await(one -> true);

            assertThat(event.getType()).isEqualTo("Warning");
            assertThat(event.getReason()).isEqualTo("FailedCreate");
            assertThat(event.getMessage())
                    .startsWith("Error: could not create elasticdl-mnist-worker-")
                    .endsWith(": " + QUOTA + "; raise the quota");
            assertThat(event.getInvolvedObject().getKind()).isEqualTo("ConfigMap");
            assertThat(event.getInvolvedObject().getName()).isEqualTo("edl-job-mnist");
            assertThat(run.lost()).isFalse();
        }
    }

    @Test
    void a_refusal_other_than_a_missing_permission_is_not_final() {
        Refused.create(
                        server,
                        "events",
                        403,
                        "Forbidden",
                        "events is forbidden: unable to create new content in namespace test because it is being terminated")
                .times(1);
        try (EventRecorder events = new EventRecorder(client, () -> now)) {
            events.warn(object("edl-job-mnist"), "FailedCreate", "ExceededQuota", QUOTA);
            events.warn(object("edl-job-mnist"), "FailedCreate", "WebhookFailed", "failed calling webhook");
            assertThat(await(event -> true).getMessage()).isEqualTo("failed calling webhook");

            events.warn(object("edl-job-mnist"), "FailedDelete", "Timeout", "no answer");
            await(event -> event.getReason().equals("FailedDelete"));
        }
    }

    @Test
    void a_job_runs_without_permission_to_write_events() {
        Refused.create(server, "pods", 403, "Forbidden", QUOTA).times(3);
        Refused.create(
                        server,
                        "events",
                        403,
                        "Forbidden",
                        "events is forbidden: User \"jane\" cannot create resource \"events\" in API group \"\" in the"
                                + " namespace \"test\"")
                .always();
        Queue<String> told = new ConcurrentLinkedQueue<>();
        Logger logger = Logger.getLogger(EventRecorder.class.getName());
        logger.setFilter(line -> told.add(line.getMessage()));
        try (KubernetesExecutor executor = executor();
                KubernetesRun run = executor.submit(job())) {
            client.pods()
                    .inNamespace("test")
                    .withName("elasticdl-mnist-worker-0")
                    .waitUntilCondition(pod -> pod != null, 30, TimeUnit.SECONDS);

            assertThat(run.lost()).isFalse();
            assertThat(events()).isEmpty();
            assertThat(told)
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith("no Kubernetes Events are written in namespace \"test\", ")
                    .endsWith("\n$ kubectl create role edl-jane-events-create --namespace test --verb=create"
                            + " --resource=events && kubectl create rolebinding edl-jane-events-create --namespace test"
                            + " --role=edl-jane-events-create --user=jane");
        } finally {
            logger.setFilter(null);
        }
    }

    private KubernetesExecutor executor() {
        return KubernetesExecutor.builder()
                .client(client)
                .inFlight(1)
                .retry(RetryPolicy.of(Backoff.doubling(Duration.ofMillis(50), Duration.ofMillis(50))))
                .build();
    }
}
