package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.et.ScaleState;
import dev.edl.operators.crd.et.ScalerStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Scaling requests and their jobs, on fabric8's mock. */
@MockCluster
class ScalerDriverTest {
    private static final String SCALE_OUT = """
            apiVersion: kai.alibabacloud.com/v1alpha1
            kind: ScaleOut
            metadata: {name: late, namespace: test, creationTimestamp: "2026-01-01T00:00:00Z"}
            spec:
              selector: {name: elastic}
              toAdd: {count: 1}
              timeout: 4
            """;
    private static final String JOB = """
            apiVersion: kai.alibabacloud.com/v1alpha1
            kind: TrainingJob
            metadata: {name: elastic, namespace: test}
            spec:
              etReplicaSpecs:
                launcher:
                  replicas: 1
                  template: {spec: {containers: [{name: launcher, image: "horovod:1"}]}}
                worker:
                  replicas: 1
                  maxReplicas: 2
                  template: {spec: {containers: [{name: worker, image: "horovod:1"}]}}
            """;

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private Resource<GenericKubernetesResource> create(List<ManagedKind> kinds, String yaml) {
        GenericKubernetesResource object = CustomObject.fromYaml(yaml).toKubernetes();
        ManagedKind kind = kinds.stream()
                .filter(one -> WatchedKind.of(one).name().equals(object.getKind()))
                .findFirst()
                .orElseThrow();
        Resource<GenericKubernetesResource> there =
                WatchedKind.of(kind).in(client).inNamespace("test").resource(object);
        there.create();
        return WatchedKind.of(kind)
                .in(client)
                .inNamespace("test")
                .withName(object.getMetadata().getName());
    }

    private static ScaleState status(GenericKubernetesResource object) {
        return ScalerStatus.read(CustomObject.of(object));
    }

    @Test
    void a_request_listed_before_its_job_is_not_rejected() {
        List<ManagedKind> kinds = JobKinds.trainingJob();
        create(kinds, JOB);
        Resource<GenericKubernetesResource> request = create(kinds, SCALE_OUT);
        AtomicBoolean away = new AtomicBoolean(true);
        AtomicInteger refused = new AtomicInteger();
        try (KubernetesClient slow = new KubernetesClientBuilder()
                        .withConfig(client.getConfiguration())
                        .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("slow", new Interceptor() {
                            @Override
                            public void before(BasicBuilder builder, HttpRequest asked, RequestTags tags) {
                                if (away.get() && asked.uri().getPath().endsWith("/trainingjobs")) {
                                    refused.incrementAndGet();
                                    builder.uri(asked.uri().resolve("/nowhere"));
                                }
                            }
                        }))
                        .build();
                LeaderSession session = new LeaderSession(slow, LeaderSessionSettings.of(kinds, List.of("test")))) {
            Polled.until("jobs were asked for in vain, more than once", () -> refused.get() > 1);
            Polled.until(
                    "the request was heard of",
                    () -> session.all("ScaleOut.kai.alibabacloud.com", "test").size() == 1);
            assertThat(request.get().getAdditionalProperties()).doesNotContainKey("status");
            away.set(false);

            // Its job, which the controller drives, now owns it.
            Polled.until(request, there -> ScalerStatus.taken(CustomObject.of(there)));
            assertThat(status(request.get()).phase().ended()).isFalse();
        }
    }
}
