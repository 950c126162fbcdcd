package dev.edl.operators.et;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.JobLostException;
import dev.edl.k8s.JobPodsFixture;
import dev.edl.k8s.MockCluster;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Only the job's current driver writes the state in a launcher's ConfigMap; its earlier drivers cannot. */
@MockCluster
// The extension sets the client.
@SuppressWarnings("NullAway.Init")
class HostNotesTest {
    private static final JobPlan PLAN = Job.named("mnist")
            .namespace("test")
            .horovod()
            .image("horovod:1")
            .launcher()
            .workers(2)
            .elastic(1, 4)
            .build()
            .plan(Profile.ET_V1ALPHA1);

    private KubernetesClient client;
    private final PodTemplates templates =
            PodTemplates.of(PLAN, PodOptions.builder().kubexec().build());
    private PodSubstrate pods;

    @BeforeEach
    void a_job_with_its_hosts() {
        JobRecord record =
                JobRecord.create(ClusterApi.of(client, "test"), PLAN, JobState.initial(PLAN), "me", Optional.empty());
        pods = new PodSubstrate(
                ClusterApi.of(client, "test"), PLAN, templates, record, Optional.empty(), Runnable::run);
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("mnist-config")
                        .withNamespace("test")
                        .endMetadata()
                        .addToData("hostfile", "mnist-worker-0:1\nmnist-worker-1:1\n")
                        .build())
                .create();
    }

    @AfterEach
    void close() {
        pods.close();
    }

    private HostfileWriter files(String driver) {
        return new HostfileWriter(JobPodsFixture.of(client, PLAN, templates, pods, driver));
    }

    @Test
    void a_replaced_driver_persists_nothing() {
        HostfileWriter first = files("me");
        first.keepScaling("first");
        HostfileWriter second = files("you");
        assertThat(second.scaling()).contains("first");

        assertThatThrownBy(() -> first.keepScaling("too late"))
                .isInstanceOf(JobLostException.class)
                .hasMessage("another program drives it now, you");
        assertThat(files("you").scaling()).contains("first");
    }

    @Test
    void another_driver_is_noticed_even_without_a_write() {
        HostfileWriter first = files("me");
        first.keepLeaving("same");
        files("you").keepScaling("second");

        assertThatThrownBy(() -> first.keepLeaving("same")).isInstanceOf(JobLostException.class);
    }

    @Test
    void a_label_added_by_another_client_is_kept() {
        HostfileWriter first = files("me");
        first.keepScaling("first");
        client.configMaps()
                .inNamespace("test")
                .withName("mnist-config")
                .edit(map -> map.edit()
                        .editMetadata()
                        .addToLabels("team", "a")
                        .endMetadata()
                        .build());
        first.keepScaling("second");

        assertThat(files("me").scaling()).contains("second");
        assertThat(client.configMaps()
                        .inNamespace("test")
                        .withName("mnist-config")
                        .get()
                        .getMetadata()
                        .getLabels())
                .containsEntry("team", "a");
    }

    @Test
    void without_its_config_map_the_job_is_lost() {
        client.configMaps().inNamespace("test").withName("mnist-config").delete();

        assertThatThrownBy(() -> files("me").kept())
                .isInstanceOf(JobLostException.class)
                .hasMessage("ConfigMap mnist-config was deleted, and with it the launcher's hosts");
    }
}
