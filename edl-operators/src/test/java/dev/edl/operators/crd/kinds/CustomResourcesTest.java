package dev.edl.operators.crd.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.et.TrainingJobs;
import dev.edl.operators.crd.kubeflow.KubeflowMxJobs;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.operators.crd.kubeflow.MpiJobVersion;
import dev.edl.operators.crd.kubeflow.MpiJobs;
import dev.edl.operators.crd.kubeflow.PyTorchJobs;
import dev.edl.operators.crd.mxjob.MxJobGroup;
import dev.edl.operators.crd.mxjob.MxJobs;
import dev.edl.operators.crd.tfjob.TfJobRelease;
import dev.edl.operators.crd.tfjob.TfJobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CustomResourcesTest {
    private static final String KNOWN = "known are MPIJob of kubeflow.org/v1, MPIJob of kubeflow.org/v2beta1, MXJob of"
            + " kubeflow.org/v1, MxJob of mlkube.io/v1beta1, MxJob of mxnet.mlkube.io/v1beta1, PyTorchJob of kubeflow.org/v1,"
            + " TFJob of kubeflow.org/v1, TFJob of kubeflow.org/v1alpha1, TFJob of tensorflow.org/v1alpha1, TfJob of"
            + " mlkube.io/v1beta1, TfJob of tensorflow.org/v1alpha1, TrainingJob of kai.alibabacloud.com/v1alpha1";

    private static final Job TENSORFLOW =
            Job.named("j").tensorflow().image("a:1").master().ps(1).workers(2).build();
    private static final Job MXNET =
            Job.named("j").mxnet().image("a:1").ps(1).workers(2).build();
    private static final Job HOROVOD =
            Job.named("j").horovod().image("a:1").launcher().workers(2).build();

    /** One resource of each kind that EDL writes. */
    private static List<ResourceWriteResult> written() {
        List<ResourceWriteResult> all = new ArrayList<>();
        for (TfJobRelease release : TfJobRelease.values()) {
            all.add(TfJobs.write(TENSORFLOW, release));
        }
        for (MxJobGroup group : MxJobGroup.values()) {
            all.add(MxJobs.write(MXNET, group));
        }
        for (MpiJobVersion version : MpiJobVersion.values()) {
            all.add(MpiJobs.write(HOROVOD, version));
        }
        all.add(KubeflowTfJobs.write(TENSORFLOW));
        all.add(KubeflowMxJobs.write(MXNET));
        all.add(PyTorchJobs.write(
                Job.named("j").pytorch().image("a:1").master().workers(2).build()));
        all.add(TrainingJobs.write(HOROVOD));
        return all;
    }

    private static void refused(String yaml, String message) {
        assertThatThrownBy(() -> CustomResources.read(yaml))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessage(message);
    }

    @Test
    void each_kind_is_read_by_its_own_reader() {
        for (ResourceWriteResult result : written()) {
            assertThat(CustomResources.read(result.toYaml()).job().name())
                    .as(result.toYaml())
                    .isEqualTo("j");
        }
    }

    @Test
    void the_kinds_are_those_that_edl_writes() {
        assertThat(CustomResources.kinds())
                .containsExactlyInAnyOrderElementsOf(written().stream()
                        .map(result -> result.resource().kind() + " of "
                                + result.resource().apiVersion())
                        .collect(Collectors.toSet()));
    }

    @Test
    void a_mistake_is_reported_by_the_reader_of_the_kind() {
        assertThatThrownBy(() -> CustomResources.read(
                        "apiVersion: kubeflow.org/v1\nkind: TFJob\nmetadata: {name: a}\nspec: {tfReplicaSpec: {}}"))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessageStartingWith(
                        "TFJob \"a\": spec.tfReplicaSpec: unknown key; did you mean \"tfReplicaSpecs\"?");
    }

    @Test
    void an_unknown_kind_is_refused_with_those_that_are_known() {
        refused(
                "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}",
                "Deployment \"web\": apiVersion and kind must be those of a custom resource that EDL reads, were apps/v1 and"
                        + " Deployment; " + KNOWN);
        refused(
                "apiVersion: kubeflow.org/v2\nkind: TFJob",
                "TFJob: apiVersion and kind must be those of a custom resource that EDL reads, were kubeflow.org/v2 and TFJob; "
                        + KNOWN);
    }

    @Test
    void the_text_of_a_job_of_edl_is_named() {
        refused(
                Job.builder().workers(1).build().toYaml(),
                "resource: apiVersion and kind must be those of a custom resource, were \"\" and \"\"; Job.fromYaml reads a job of"
                        + " EDL; " + KNOWN);
    }

    @Test
    void a_train_job_is_refused_with_the_way_to_compose_it() {
        refused(
                "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: bert}\nspec: {}",
                "TrainJob \"bert\": is not read, as the pods of a TrainJob are described by the runtime in its cluster"
                        + " (spec.runtimeRef); compose the job from spec.trainer, for example"
                        + " Job.named(\"bert\").pytorch().image(image).command(command).workers(numNodes)");
    }

    @Test
    void a_list_is_refused_with_the_method_that_reads_its_items() {
        assertThatThrownBy(() -> CustomResources.read(CustomObject.of(
                        Map.of("apiVersion", "v1", "kind", "List", "items", List.of(Map.of(), Map.of())))))
                .hasMessage("List: is a list of resources, not a job; read each of its items;"
                        + " CustomObject.allFromYaml reads them from a text");
    }

    @Test
    void a_request_to_scale_is_no_job() {
        refused(
                "apiVersion: kai.alibabacloud.com/v1alpha1\nkind: ScaleIn\nmetadata: {name: less}",
                "ScaleIn \"less\": is a request to scale a TrainingJob, not a job; read it by"
                        + " dev.edl.operators.crd.et.ScaleRequests.read");
    }

    @Test
    void an_object_of_kueue_is_refused_with_the_way_to_check_a_job_against_it() {
        refused(
                "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: mnist}\nspec: {queueName: team-a}",
                "Workload \"mnist\": is an object of Kueue and not a job; a job has its queue in label"
                        + " kueue.x-k8s.io/queue-name, and dev.edl.k8s.preflight.Preflight.ofQueues checks it against"
                        + " queues");
    }
}
