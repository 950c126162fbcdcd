package dev.edl.operators.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.operators.crd.et.ScaleRequests;
import dev.edl.operators.crd.et.TrainingJobs;
import dev.edl.operators.crd.mxjob.MxJobGroup;
import dev.edl.operators.crd.mxjob.MxJobs;
import dev.edl.operators.crd.tfjob.TfJobs;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Against the API server itself: conformance/kubernetes. */
class DefinitionsTest {
    private static void same(CustomResourceDefinition definition, String file) {
        assertThat(CustomObject.of(definition)).isEqualTo(CustomObject.fromYaml(Golden.file(file)));
    }

    @Test
    void a_tf_job_is_installed_as_its_operator_did() {
        same(TfJobs.definition(), "tfjob-definition.yaml");
    }

    @Test
    void an_mx_job_is_installed_in_the_group_of_its_release() {
        assertThat(MxJobs.definition().getMetadata().getName()).isEqualTo("mxjobs.mxnet.mlkube.io");
        assertThat(MxJobs.definition(MxJobGroup.MLKUBE).getMetadata().getName()).isEqualTo("mxjobs.mlkube.io");
    }

    @Test
    void a_training_job_is_installed_as_et_operator_does() {
        same(TrainingJobs.definition(), "trainingjob-definition.yaml");
    }

    @Test
    void scale_requests_show_the_type_of_their_last_condition() {
        assertThat(ScaleRequests.definitions())
                .extracting(definition -> definition.getMetadata().getName())
                .containsExactly("scaleins.kai.alibabacloud.com", "scaleouts.kai.alibabacloud.com");
        assertThat(ScaleRequests.definitions())
                .flatExtracting(
                        definition -> definition.getSpec().getVersions().get(0).getAdditionalPrinterColumns())
                .filteredOn(column -> column.getName().equals("Phase"))
                .extracting(column -> column.getJsonPath())
                .containsExactly(".status.conditions[-1:].type", ".status.conditions[-1:].type");
    }

    @Test
    void the_status_is_written_apart_only_where_the_operator_does_so() {
        assertThat(Stream.of(TfJobs.definition(), MxJobs.definition(), TrainingJobs.definition()))
                .extracting(
                        definition -> definition.getSpec().getVersions().get(0).getSubresources() != null)
                .containsExactly(false, false, true);
    }
}
