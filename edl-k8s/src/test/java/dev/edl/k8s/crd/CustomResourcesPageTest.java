package dev.edl.k8s.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.k8s.crd.kubeflow.KubeflowTfJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The Java of docs/custom-resources.md, and what the page says of it. */
class CustomResourcesPageTest {
    @Test
    void the_example_of_the_page_does_what_the_page_says() throws IOException {
        Job job = Job.named("example-job")
                .tensorflow()
                .image("registry.example/acme/mnist:1")
                .master()
                .ps(2)
                .workers(4)
                .elastic(1, 8)
                .build();

        Written written = KubeflowTfJobs.write(job);
        Reading reading = KubeflowTfJobs.read(written.toYaml());

        String page = Files.readString(Path.of("../docs/custom-resources.md"));
        assertThat(written.losses()).hasSize(1);
        assertThat(page).contains("```\n" + written.losses().get(0) + "\n```\n");
        assertThat(page).contains("Written written = KubeflowTfJobs.write(job);");
        assertThat(reading.job()).hasToString("Job example-job (tensorflow): master, ps x 2, worker x 4");
    }
}
