package dev.edl.operators.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.operators.crd.kinds.CustomResources;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantitiesOfResourcesTest {
    private static final String PATH = "spec.tfReplicaSpecs.Worker.template.spec.containers[0].resources.";

    private static JobReadResult read(String resources) {
        return CustomResources.read(
                "apiVersion: kubeflow.org/v1\nkind: TFJob\nmetadata: {name: a}\nspec: {tfReplicaSpecs: {"
                        + "Worker: {replicas: 1, template: {spec: {containers: [{name: tensorflow, image: a, resources: "
                        + resources + "}]}}}}}\n");
    }

    private static RoleTemplate worker(JobReadResult result) {
        return result.job().spec().roles().get(0).template();
    }

    // The values are those of k8s.io/apimachinery 0.36.3, which conformance/frameworks/run quantities compares with.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    memory: 1e3             | memory=1k
                    memory: 1E3             | memory=1k
                    memory: "1e3"           | memory=1k
                    memory: "1E3"           | memory=1k
                    memory: 2.5e10          | memory=25G
                    memory: 1Ei             | memory=1Ei
                    memory: 1.5Gi           | memory=1536Mi
                    memory: 0656075430181e6 | memory=656075430181M
                    cpu: 90220.60002370553050500e10 | cpu=902206000237055200m
                    memory: 0x10            | memory=16
                    memory: 010             | memory=8
                    cpu: .5                 | cpu=500m
                    cpu: "2."               | cpu=2
                    cpu: 2.0                | cpu=2
                    cpu: +1                 | cpu=1
                    cpu: 1500000u           | cpu=1500m
                    cpu: 0                  | cpu=0
                    ephemeral-storage: 1e9  | ephemeral-storage=1G
                    nvidia.com/gpu: 2.0     | nvidia.com/gpu=2
                    nvidia.com/gpu: 2000m   | nvidia.com/gpu=2
                    """)
    void an_amount_is_kept_as_a_number_and_as_a_text(String amount, String kept) {
        JobReadResult result = read("{requests: {" + amount + "}, limits: {" + amount + "}}");

        assertThat(worker(result).requests()).contains(Resources.parse(kept));
        assertThat(result.losses()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    memory: 2.2Gi  | 2.2Gi | memory=2362232013          | 2362232013, rounded up to whole bytes as Kubernetes does
                    memory: 0.1    | 0.1   | memory=1                   | 1, rounded up to whole bytes as Kubernetes does
                    memory: 500m   | 500m  | memory=1                   | 1, rounded up to whole bytes as Kubernetes does
                    cpu: 100u      | 100u  | cpu=1m                     | 1m, rounded up to thousandths as Kubernetes does
                    memory: 8Ei    | 8Ei   | memory=9223372036854775807 | 9223372036854775807, up to which Kubernetes counts
                    """)
    void a_changed_quantity_is_reported(String amount, String said, String kept, String told) {
        JobReadResult result = read("{requests: {" + amount + "}, limits: {" + amount + "}}");
        String name = amount.substring(0, amount.indexOf(':'));

        assertThat(worker(result).requests()).contains(Resources.parse(kept));
        assertThat(result.losses())
                .extracting(ConversionLoss::toString)
                .containsExactly(
                        PATH + "requests." + name + " = " + said + ": it is read as " + told,
                        PATH + "limits." + name + " = " + said + ": it is read as " + told);
    }

    @Test
    void a_request_of_0_stays_0_beside_a_limit_and_alone() {
        JobReadResult result =
                read("{requests: {cpu: 0, memory: 0, ephemeral-storage: 0}, limits: {cpu: 4, memory: 8Gi}}");

        assertThat(worker(result).requests()).contains(Resources.parse("cpu=0,memory=0,disk=0"));
        assertThat(worker(result).effectiveLimits()).isEqualTo(Resources.parse("cpu=4,memory=8Gi"));
        assertThat(result.losses()).isEmpty();
    }

    @Test
    void dropped_quantities_are_reported_with_their_effect() {
        assertThat(read("{requests: {hugepages-2Mi: 4Mi}, limits: {hugepages-2Mi: 4Mi}}")
                        .losses())
                .extracting(ConversionLoss::toString)
                .containsExactly(
                        PATH
                                + "requests.hugepages-2Mi = 4Mi: a job has cpu, memory, ephemeral-storage and devices; the pod then"
                                + " asks for none of it",
                        PATH
                                + "limits.hugepages-2Mi = 4Mi: a job has cpu, memory, ephemeral-storage and devices; the pod then"
                                + " has no limit of it");
    }

    @Test
    void what_kubernetes_refuses_is_refused() {
        assertThatThrownBy(() -> read("{limits: {memory: -1Gi, nvidia.com/gpu: 0.5}}"))
                .isInstanceOf(InvalidResourceException.class)
                .hasMessage("TFJob \"a\": " + PATH + "limits.memory must be at least 0, was -1Gi; for example 1\n"
                        + "TFJob \"a\": " + PATH
                        + "limits.nvidia.com/gpu must be a whole number, as devices are counted, was"
                        + " 0.5; for example 1");
    }
}
