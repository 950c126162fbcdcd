package dev.edl.k8s.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EffectivePodResourcesTest {
    private static Container cpu(String amount) {
        return new ContainerBuilder()
                .withNewResources()
                .addToRequests("cpu", new Quantity(amount))
                .endResources()
                .build();
    }

    private static Container staying(String amount) {
        return new ContainerBuilder(cpu(amount)).withRestartPolicy("Always").build();
    }

    private static String cpuOf(Pod pod) {
        return EffectivePodResources.text(
                EffectivePodResources.requests(pod.getSpec()).getOrDefault("cpu", BigDecimal.ZERO));
    }

    private static PodBuilder pod(Container... containers) {
        return new PodBuilder().withNewSpec().withContainers(containers).endSpec();
    }

    // 2^60 and 10^18; the client's own arithmetic keeps only 16 digits.
    @ParameterizedTest
    @CsvSource({"1Ei,1152921504606846976", "1E,1000000000000000000", "2.2Gi,2362232012.8", "1E3,1000", "5n,0.000000005"
    })
    void an_amount_is_exact(String amount, String number) {
        assertThat(EffectivePodResources.requests(cpu(amount)))
                .hasEntrySatisfying("cpu", one -> assertThat(one).isEqualByComparingTo(number));
    }

    @Test
    void an_amount_beyond_64_bits_has_a_text() {
        assertThat(EffectivePodResources.text(new BigDecimal("36893488147419103232")))
                .isEqualTo("33554432Ti");
    }

    @Test
    void containers_add_up() {
        assertThat(cpuOf(pod(cpu("1"), cpu("500m")).build())).isEqualTo("1500m");
    }

    @Test
    void a_larger_init_container_counts_instead() {
        assertThat(cpuOf(pod(cpu("1"))
                        .editSpec()
                        .withInitContainers(cpu("3"), cpu("2"))
                        .endSpec()
                        .build()))
                .isEqualTo("3");
    }

    @Test
    void a_sidecar_init_container_counts_with_those_after_it() {
        // Kubernetes' own example of the kind: max(1 + 2, 1 + 4) = 5.
        assertThat(cpuOf(pod(cpu("4"))
                        .editSpec()
                        .withInitContainers(staying("1"), cpu("2"))
                        .endSpec()
                        .build()))
                .isEqualTo("5");
    }

    @Test
    void the_overhead_of_a_runtime_class_is_added() {
        assertThat(cpuOf(pod(cpu("1"))
                        .editSpec()
                        .addToOverhead("cpu", new Quantity("250m"))
                        .endSpec()
                        .build()))
                .isEqualTo("1250m");
    }

    @Test
    void an_overhead_is_added_to_limits_but_is_none() {
        Pod pod = pod(new ContainerBuilder()
                        .withNewResources()
                        .addToLimits("cpu", new Quantity("2"))
                        .endResources()
                        .build())
                .editSpec()
                .addToOverhead("cpu", new Quantity("250m"))
                .addToOverhead("memory", new Quantity("64Mi"))
                .endSpec()
                .build();

        assertThat(EffectivePodResources.limits(pod.getSpec()))
                .containsOnlyKeys("cpu")
                .hasEntrySatisfying("cpu", amount -> assertThat(amount).isEqualByComparingTo("2.25"));
    }

    @Test
    void a_limit_alone_counts_as_the_request() {
        Container limited = new ContainerBuilder()
                .withNewResources()
                .addToLimits("cpu", new Quantity("2"))
                .endResources()
                .build();

        assertThat(cpuOf(pod(limited).build())).isEqualTo("2");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "2, 2",
        "2048, 2048",
        "0.03, 30m",
        "1.5, 1500m",
        "33554432, 32Mi",
        "8589934592, 8Gi",
        "1000000000, 1000000000"
    })
    void amounts_are_written_as_kubernetes_reads_them(BigDecimal amount, String text) {
        assertThat(EffectivePodResources.text(amount)).isEqualTo(text);
    }
}
