package dev.edl.k8s.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.FailureCause;
import dev.edl.exec.RequestFailure;
import dev.edl.exec.RetryPolicy;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.k8s.Refused;
import dev.edl.spec.Backoff;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** API server refusals: an invalid spec at submit, and any other one as a request failure of the running job. */
@MockCluster
class ApiTroubleTest {
    private static final String QUOTA =
            "pods \"elasticdl-mnist-worker-0\" is forbidden: exceeded quota: four-pods, requested:"
                    + " pods=1, used: pods=4, limited: pods=4";

    // The extension sets both.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private KubernetesMockServer server;

    private static Job job() {
        return Job.named("mnist")
                .namespace("test")
                .image("mnist:1")
                .tensorflow()
                .workers(2, w -> w.elastic(1, 4))
                .build();
    }

    private static KubernetesClientException refusal(int code, String reason, String message) {
        return new KubernetesClientException(
                "Failure executing: POST at: https://api/v1/namespaces/test/pods. Message: " + message,
                code,
                new StatusBuilder()
                        .withCode(code)
                        .withReason(reason)
                        .withMessage(message)
                        .build());
    }

    @Test
    void an_invalid_pod_throws_from_submit_and_leaves_nothing_behind() {
        Refused.create(
                        server,
                        "pods",
                        422,
                        "Invalid",
                        "Pod \"elasticdl-mnist-worker-0\" is invalid: spec.containers[0].image: Required value")
                .always();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            Job job = job();

            assertThatThrownBy(() -> executor.submit(job))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("spec.containers[0].image: Required value");
            assertThat(executor.jobs()).isEmpty();
        }
        assertThat(client.configMaps().inNamespace("test").list().getItems()).isEmpty();
    }

    @Test
    void a_quota_refusal_is_in_the_status_with_a_fix() throws InterruptedException {
        Refused.create(server, "pods", 403, "Forbidden", QUOTA).times(1);
        CountDownLatch told = new CountDownLatch(1);
        try (KubernetesExecutor executor = KubernetesExecutor.builder()
                        .client(client)
                        .retry(RetryPolicy.of(Backoff.doubling(Duration.ofHours(1), Duration.ofHours(1))))
                        .inFlight(1)
                        .build();
                KubernetesRun run = executor.submit(job(), event -> {
                    if (event.message().startsWith("could not create elasticdl-mnist-worker-0")) {
                        told.countDown();
                    }
                })) {
            assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();

            RequestFailure failure = run.status().requestFailures().get(0);
            assertThat(failure.request()).isEqualTo(RequestFailure.Request.CREATE);
            assertThat(failure.cause().reason()).isEqualTo("ExceededQuota");
            assertThat(run.whyPending("worker-0"))
                    .hasValueSatisfying(why -> assertThat(why)
                            .startsWith("cannot be created for ")
                            .endsWith(QUOTA + "; raise the quota, or scale(\"worker\", 1)"));
            assertThat(run.status().phase()).isEqualTo(JobPhase.PENDING);
            Polled.until(client.pods().inNamespace("test").withName("elasticdl-mnist-worker-1"), there -> true);
        }
    }

    @Test
    void each_refusal_has_a_fix() {
        assertThat(ApiFailures.explain(refusal(403, "Forbidden", QUOTA)).advice())
                .hasValue("raise the quota");
        assertThat(ApiFailures.explain(refusal(401, "Unauthorized", "Unauthorized")))
                .hasToString("Unauthorized; renew the token or certificate of this program");
        assertThat(ApiFailures.explain(refusal(
                        500, "InternalError", "Internal error occurred: failed calling webhook \"a.b\": timeout")))
                .satisfies(cause -> assertThat(cause.reason()).isEqualTo("WebhookFailed"))
                .satisfies(cause -> assertThat(cause.permanent()).isFalse());
        assertThat(ApiFailures.explain(refusal(422, "Invalid", "Pod \"p\" is invalid"))
                        .permanent())
                .isTrue();
    }

    @Test
    void an_unanswered_request_has_its_cause() {
        KubernetesClientException away = new KubernetesClientException(
                "Operation: [create] for kind: [Pod] failed.",
                new IOException("request failed", new ConnectException("Connection refused")));

        assertThat(ApiFailures.explain(away))
                .isEqualTo(new FailureCause(
                        "Unreachable",
                        "Connection refused",
                        Optional.of("make the API server reachable from this program"),
                        false));
    }
}
