package dev.edl.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourcesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    cpu=2                         | cpu=2
                    cpu=2.0                       | cpu=2
                    cpu=2000m                     | cpu=2
                    cpu=0.5                       | cpu=500m
                    cpu=500m                      | cpu=500m
                    cpu=0.001                     | cpu=1m
                    cpu=0                         | cpu=0
                    cpu=1e3                       | cpu=1000
                    cpu=1E3                       | cpu=1000
                    cpu=1E+3                      | cpu=1000
                    cpu=5e-1                      | cpu=500m
                    cpu=1k                        | cpu=1000
                    cpu=1Ki                       | cpu=1024
                    cpu=+1                        | cpu=1
                    cpu=-0                        | cpu=0
                    cpu=01                        | cpu=1
                    cpu=2.                        | cpu=2
                    cpu=.5                        | cpu=500m
                    cpu=1500000u                  | cpu=1500m
                    cpu=250000000n                | cpu=250m
                    memory=0                      | memory=0
                    memory=0Mi                    | memory=0
                    memory=1.5Gi                  | memory=1536Mi
                    memory=0.5Ki                  | memory=512
                    memory=1e3                    | memory=1k
                    memory=1E3                    | memory=1k
                    memory=1E                     | memory=1E
                    memory=1Ei                    | memory=1Ei
                    memory=7.99Ei                 | memory=9211842821808707339
                    memory=128e6                  | memory=128M
                    memory=128974848000m          | memory=123Mi
                    memory=9223372036854775807    | memory=9223372036854775807
                    disk=0                        | ephemeral-storage=0
                    gpu=1e0                       | nvidia.com/gpu=1
                    gpu=2000m                     | nvidia.com/gpu=2
                    gpu=4.0                       | nvidia.com/gpu=4
                    gpu=1k                        | nvidia.com/gpu=1000
                    gpu=9999999999                | nvidia.com/gpu=9999999999
                    memory=2048Mi                 | memory=2Gi
                    memory=1536Mi                 | memory=1536Mi
                    memory=1000K                  | memory=1M
                    memory=64k                    | memory=64k
                    memory=1048576                | memory=1Mi
                    memory=1000001                | memory=1000001
                    memory=7Ei                    | memory=7Ei
                    disk=10Gi                     | ephemeral-storage=10Gi
                    ephemeral-storage=1024Mi      | ephemeral-storage=1Gi
                    gpu=1                         | nvidia.com/gpu=1
                    gpu=0                         | nvidia.com/gpu=0
                    amd.com/gpu=2                 | amd.com/gpu=2
                    nvidia.com/P100-PCIE-16GB-P=1 | nvidia.com/P100-PCIE-16GB-P=1
                    google.com/tpu=8              | google.com/tpu=8
                    """)
    void each_amount_has_one_text(String given, String kept) {
        assertThat(Resources.parse(given)).hasToString(kept);
        assertThat(Resources.parse(kept)).isEqualTo(Resources.parse(given)).hasToString(kept);
    }

    // Kubernetes: SetDefaults_ResourceList rounds each amount up to thousandths, Quantity.Value() up to whole ones.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    cpu=0.0005                | cpu=1m
                    cpu=1.5m                  | cpu=2m
                    cpu=1n                    | cpu=1m
                    cpu=2.0001                | cpu=2001m
                    memory=2.2Gi              | memory=2362232013
                    memory=2362232012800m     | memory=2362232013
                    memory=0.1                | memory=1
                    memory=1e-30              | memory=1
                    gpu=0.9995                | nvidia.com/gpu=1
                    """)
    void what_kubernetes_rounds_up_is_rounded_up(String given, String kept) {
        assertThat(Resources.parse(given)).hasToString(kept);
        assertThat(Resources.parse(kept)).isEqualTo(Resources.parse(given));
    }

    @ParameterizedTest
    @CsvSource({"memory,8Ei", "memory,99999999999E", "cpu,10E", "gpu,1e19", "memory,9223372036854775807.1"})
    void an_amount_above_the_limit_of_kubernetes_is_refused(String name, String amount) {
        refused(
                name + "=" + amount,
                name + " must be below 8Ei, the limit of Kubernetes, was \"" + amount + "\"; for example "
                        + Map.of("memory", "memory=2048Mi", "cpu", "cpu=2, cpu=0.5 or cpu=500m", "gpu", "gpu=1")
                                .get(name));
    }

    @Test
    void the_order_is_fixed_and_blanks_are_allowed() {
        assertThat(Resources.parse(" gpu = 1, disk=1Gi ,memory=2048Mi,amd.com/gpu=1,cpu=2"))
                .hasToString("cpu=2,memory=2Gi,ephemeral-storage=1Gi,amd.com/gpu=1,nvidia.com/gpu=1");
    }

    @Test
    void typed_calls_equal_the_grammar() {
        assertThat(Resources.of().gpu(1).cpu(0.5).memory("2048Mi").disk("10Gi").gpu("amd.com/gpu", 2))
                .isEqualTo(Resources.parse("cpu=500m,memory=2Gi,disk=10Gi,gpu=1,amd.com/gpu=2"));
    }

    @Test
    void amounts_of_the_same_value_are_equal() {
        assertThat(new Resources(Map.of("cpu", "0.5"))).isEqualTo(new Resources(Map.of("cpu", "500m")));
        assertThat(Resources.parse("memory=1024Mi")).hasSameHashCodeAs(Resources.parse("memory=1073741824"));
        assertThat(Resources.parse("memory=1G")).isNotEqualTo(Resources.parse("memory=1Gi"));
    }

    @Test
    void the_value_is_in_cores_bytes_and_pieces() {
        Resources resources = Resources.parse("cpu=1500m,memory=2Ki,gpu=3");

        assertThat(resources.value("cpu")).isEqualByComparingTo("1.5");
        assertThat(resources.value("memory")).isEqualByComparingTo("2048");
        assertThat(resources.value("nvidia.com/gpu")).isEqualByComparingTo("3");
        assertThat(resources.value("ephemeral-storage")).isEqualByComparingTo(BigDecimal.ZERO);
    }

    @Test
    void what_is_laid_over_replaces_by_name() {
        assertThat(Resources.parse("cpu=4,gpu=1").over(Resources.parse("cpu=2,memory=1Gi")))
                .hasToString("cpu=4,memory=1Gi,nvidia.com/gpu=1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-1", "nan", "1K", "-1m", ".", "1 m", "e3", "1e", "1ee3", "1e3m", "0x10", "1_0", "two", "", "+"})
    void a_cpu_that_is_no_number_of_cores_is_refused(String amount) {
        refused(
                "cpu=" + amount,
                "cpu must be a number of cores or millicores of at least 0, was \"" + amount
                        + "\"; for example cpu=2, cpu=0.5 or cpu=500m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1GB", "-1", "1gi", "1KI", "", "Mi", "1 Mi", "1iM", "K", "1KK"})
    void a_memory_that_is_no_amount_of_bytes_is_refused(String amount) {
        refused(
                "memory=" + amount,
                "memory must be a number of bytes of at least 0, with one of Ki Mi Gi Ti Pi Ei k M G T P E or"
                        + " without, was \"" + amount + "\"; for example memory=2048Mi");
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", "-1", "0.5", "1m", "", "1K", "0.9985"})
    void a_gpu_that_is_no_count_is_refused(String amount) {
        refused("gpu=" + amount, "gpu must be a whole number of at least 0, was \"" + amount + "\"; for example gpu=1");
    }

    @Test
    void an_unknown_name_is_refused_with_the_nearest_known_one() {
        refused("memroy=1Gi", "\"memroy\" is not a resource; did you mean \"memory\"?");
        refused(
                "bandwidth=1",
                "\"bandwidth\" is not a resource; known are cpu, memory, disk, ephemeral-storage, gpu and extended"
                        + " resources such as nvidia.com/gpu");
        refused(
                "Bad_Vendor!/gpu=1",
                "\"Bad_Vendor!/gpu\" is not a resource; known are cpu, memory, disk, ephemeral-storage, gpu and extended"
                        + " resources such as nvidia.com/gpu");
    }

    @Test
    void kubernetes_own_domain_holds_no_extended_resources() {
        refused(
                "kubernetes.io/gpu=1",
                "\"kubernetes.io/gpu\" is not a resource; known are cpu, memory, disk, ephemeral-storage, gpu and extended"
                        + " resources such as nvidia.com/gpu");
        refused(
                "requests.example.com/gpu=1",
                "\"requests.example.com/gpu\" is not a resource; known are cpu, memory, disk, ephemeral-storage, gpu and"
                        + " extended resources such as nvidia.com/gpu");
    }

    @Test
    void a_resource_must_not_repeat_under_another_name() {
        refused("cpu=1,cpu=2", "cpu is given twice, as \"1\" and \"2\"; give each resource once");
        refused(
                "disk=1Gi,ephemeral-storage=2Gi",
                "ephemeral-storage is given twice, as \"1Gi\" and \"2Gi\"; give each resource once");
        refused("gpu=1,nvidia.com/gpu=1", "nvidia.com/gpu is given twice, as \"1\" and \"1\"; give each resource once");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1x", "", "cpu", "cpu=1=2"})
    void a_part_without_the_form_is_refused(String part) {
        refused(part, "\"" + part + "\" must have the form name=amount; for example cpu=2,memory=2048Mi");
    }

    @Test
    void all_mistakes_come_at_once() {
        refused(
                "1x,gpu=one,memroy=1Gi",
                "\"1x\" must have the form name=amount; for example cpu=2,memory=2048Mi;"
                        + " gpu must be a whole number of at least 0, was \"one\"; for example gpu=1;"
                        + " \"memroy\" is not a resource; did you mean \"memory\"?");
    }

    @Test
    void typed_calls_have_the_same_rules() {
        assertThatThrownBy(() -> Resources.of().cpu(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was \"-1\"");
        assertThatThrownBy(() -> Resources.of().cpu(Double.NaN)).hasMessageContaining("was \"NaN\"");
        assertThatThrownBy(() -> Resources.of().memory("1GB")).hasMessageContaining("was \"1GB\"");
        assertThatThrownBy(() -> Resources.of().gpu(-1))
                .hasMessage("gpu must be a whole number of at least 0, was \"-1\"; for example gpu=1");
        assertThatThrownBy(() -> Resources.of().gpu("tpu", 1)).hasMessageContaining("\"tpu\" is not a resource");
        assertThatThrownBy(() -> new Resources(Map.of("memory", "1x"))).hasMessageContaining("was \"1x\"");
    }

    // The names under which the plugins of the vendors offer them, and those that measure a part of one.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nvidia.com/gpu",
                "nvidia.com/gpu.shared",
                "nvidia.com/mig-1g.5gb",
                "nvidia.com/mig-1g.5gb.me",
                "amd.com/gpu",
                "gpu.intel.com/i915",
                "gpu.intel.com/xe",
                "volcano.sh/vgpu-number",
                "google.com/tpu",
                "habana.ai/gaudi",
                "aws.amazon.com/neuron",
                "aws.amazon.com/neuroncore",
                "huawei.com/Ascend910",
                "cambricon.com/mlu370",
            })
    void a_device_that_computes_is_counted(String resource) {
        assertThat(Resources.isDevice(resource)).isTrue();
        assertThat(Resources.of().gpu(resource, 3).devices()).isEqualTo(3);
    }

    @Test
    void devices_of_several_names_add_up() {
        assertThat(Resources.parse("gpu=1,nvidia.com/mig-1g.5gb=2,nvidia.com/gpumem=3000,cpu=8")
                        .devices())
                .isEqualTo(3);
        assertThat(Resources.of().devices()).isZero();
        assertThat(Resources.isDevice("alpha.kubernetes.io/nvidia-gpu")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cpu",
                "memory",
                "gpu",
                "nvidia.com/gpumem",
                "nvidia.com/gpumem-percentage",
                "nvidia.com/gpucores",
                "volcano.sh/vgpu-memory",
                "aliyun.com/gpu-mem",
                "gpu.intel.com/millicores",
                "gpu.intel.com/memory.max",
                "gpu.intel.com/tiles",
                "gpu.intel.com/i915_monitoring",
                "rdma/hca_shared_devices_a",
                "vpc.amazonaws.com/efa",
            })
    void a_part_of_a_device_or_another_resource_is_not_counted(String resource) {
        assertThat(Resources.isDevice(resource)).isFalse();
    }

    private static void refused(String text, String message) {
        assertThatThrownBy(() -> Resources.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
