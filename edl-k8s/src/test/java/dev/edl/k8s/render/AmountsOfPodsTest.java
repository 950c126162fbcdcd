package dev.edl.k8s.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.JobBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountsOfPodsTest {
    private static JobBuilder job() {
        return Job.named("a").tensorflow().image("a/b:1").workers(1);
    }

    private static PodSpec pod(JobBuilder job, PodOptions options) {
        return PodTemplates.of(job.build().plan(), options).get("worker", 0).getSpec();
    }

    private static ResourceRequirements resources(JobBuilder job) {
        return pod(job, PodOptions.none()).getContainers().get(0).getResources();
    }

    @Test
    void a_request_of_0_stays_beside_a_limit() {
        ResourceRequirements resources =
                resources(job().request("cpu=0,memory=0").limit("cpu=4,memory=8Gi"));

        assertThat(resources.getRequests()).isEqualTo(Map.of("cpu", new Quantity("0"), "memory", new Quantity("0")));
        assertThat(resources.getLimits()).isEqualTo(Map.of("cpu", new Quantity("4"), "memory", new Quantity("8Gi")));
    }

    @Test
    void a_request_of_0_alone_is_no_limit() {
        ResourceRequirements resources = resources(job().request("cpu=0"));

        assertThat(resources.getRequests()).isEqualTo(Map.of("cpu", new Quantity("0")));
        assertThat(resources.getLimits()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1.5Gi,1536Mi", "1e9,1G", "2.2Gi,2362232013", "0,0", "512,512"})
    void a_volume_of_memory_has_any_size_of_kubernetes(String size, String written) {
        PodSpec pod =
                pod(job(), PodOptions.builder().memoryVolume("/dev/shm", size).build());

        assertThat(pod.getVolumes())
                .extracting(volume -> volume.getEmptyDir().getSizeLimit().toString())
                .containsExactly(written);
    }
}
