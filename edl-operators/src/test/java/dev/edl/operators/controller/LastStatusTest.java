package dev.edl.operators.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.MockCluster;
import dev.edl.k8s.Polled;
import dev.edl.k8s.render.TfJobOperatorConfig;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@MockCluster
class LastStatusTest {
    private static final String JOB = """
            apiVersion: tensorflow.org/v1alpha1
            kind: TfJob
            metadata: {name: example-job}
            spec:
              RuntimeId: 76no
              replicaSpecs:
              - tfReplicaType: MASTER
                template: {spec: {restartPolicy: OnFailure, containers: [{name: tensorflow, image: "tf:1"}]}}
            """;

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @Test
    void a_job_that_ends_during_a_status_write_gets_its_final_status() {
        AtomicReference<@Nullable Trial> running = new AtomicReference<>();
        JobKind tfJob = (JobKind) JobKinds.tfJob(TfJobOperatorConfig.parse("{}"));
        ManagedKind slow = (ManagedKind) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobKind.class}, (self, method, arguments) -> {
                    if (method.getName().equals("open")) {
                        return new JobDriver((JobKind) self, (ObjectDriverContext) arguments[1]);
                    }
                    Object answer = method.invoke(tfJob, arguments);
                    boolean runs =
                            method.getName().equals("status") && ((JobState) arguments[1]).phase() == JobPhase.RUNNING;
                    Trial trial = runs ? running.getAndSet(null) : null;
                    if (trial != null) {
                        trial.ended("example-job-master-76no-0", 0, "Completed");
                        Polled.until(
                                client.configMaps().inNamespace("test").withName("edl-job-example-job"),
                                record -> "SUCCEEDED".equals(record.getData().get("phase")));
                    }
                    return answer;
                });
        try (Trial trial = new Trial(client, List.of(slow))) {
            running.set(trial);
            trial.create(JOB);
            trial.running("example-job-master-76no-0");

            assertThat(trial.awaitPhase(trial.tfJob("example-job"), "Done")).containsEntry("state", "Succeeded");
        }
    }
}
