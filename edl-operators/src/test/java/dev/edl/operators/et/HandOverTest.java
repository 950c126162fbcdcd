package dev.edl.operators.et;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.DriverPod;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.MockCluster;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/** A driver's pod cannot scale in et-operator's order. */
@MockCluster
class HandOverTest {
    private static final DriverPod DRIVER = DriverPod.of("acme/edl:1");

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @Test
    void a_job_scaled_by_launcher_files_cannot_be_handed_over() {
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            executor.submit(Job.named("mnist")
                    .namespace("test")
                    .horovod()
                    .image("horovod:1")
                    .launcher()
                    .workers(2)
                    .elastic(1, 4)
                    .build()
                    .plan(Profile.ET_V1ALPHA1));

            assertThatThrownBy(() -> executor.handOver("test", "mnist", DRIVER))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"mnist\" cannot be handed over: its workers are scaled by files in its launcher's"
                            + " pod, which the account of a driver's pod may not write; drive it from a program"
                            + " that keeps running, or as a TrainingJob by EDL's controller");
            assertThat(executor.jobs()).hasSize(1);
            assertThat(client.batch().v1().jobs().inNamespace("test").list().getItems())
                    .isEmpty();
        }
    }
}
