package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Twenty jobs in three namespaces; some have the same name. */
@MockCluster
class ManyJobsTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    // The extension sets it.
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private static Job job(int number) {
        return Job.named("job-" + number / 3)
                .namespace("team-" + number % 3)
                .image("mnist:1")
                .tensorflow()
                .workers(1)
                .build();
    }

    private void end(KubernetesRun run, String phase) {
        var pod = client.pods()
                .inNamespace(run.plan().namespace())
                .withName("elasticdl-" + run.plan().name() + "-worker-0");
        Polled.until(pod, there -> true);
        pod.editStatus(
                p -> p.edit().withNewStatus().withPhase(phase).endStatus().build());
    }

    @Test
    void each_job_sees_its_own_pods_and_leaves_no_thread() throws InterruptedException {
        List<KubernetesRun> runs = new ArrayList<>();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            for (int number = 0; number < 20; number++) {
                runs.add(executor.submit(job(number)));
            }
            assertThat(executor.jobs()).hasSize(20);
            for (int number = 0; number < 20; number++) {
                // Only every second job's own worker succeeds.
                end(runs.get(number), number % 2 == 0 ? "Succeeded" : "Running");
            }
            for (int number = 0; number < 20; number += 2) {
                JobStatus end = runs.get(number).await(LIMIT);
                assertThat(end.phase()).isEqualTo(JobPhase.SUCCEEDED);
            }
            for (int number = 1; number < 20; number += 2) {
                assertThat(runs.get(number).status().phase().ended()).isFalse();
                assertThat(client.pods()
                                .inNamespace("team-" + number % 3)
                                .withLabel("elasticdl-job-name", "job-" + number / 3)
                                .list()
                                .getItems())
                        .extracting((Pod pod) -> pod.getMetadata().getName())
                        .containsExactly("elasticdl-job-" + number / 3 + "-worker-0");
            }
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("edl-job-"));
    }
}
