package dev.edl.conformance.queues;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.Gang;
import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Checks that Kubernetes' own scheduler places a gang together or not at all, on a fake node with room for four pods.
 */
@OnCluster("--nodes 0 --fake 1 --fake-size cpu=4,memory=30Gi --gates GenericWorkload,GangScheduling")
class Gangs {
    private static final String NAMESPACE = "edl-gangs";
    private static final PodOptions OPTIONS =
            PodOptions.builder().gang(Gang.kubernetes()).runAsUser(1000).build();

    @Test
    void a_gang_of_kubernetes_itself_starts_together_or_not_at_all() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build();
                KubernetesExecutor executor = KubernetesExecutor.using(client, OPTIONS)) {
            Checks.namespace(client, NAMESPACE, false);
            KubernetesRun first = executor.submit(job("first", 3));
            placed(client, first, 3);
            KubernetesRun second = executor.submit(job("second", 2));
            Checks.until(
                    "three pods exist",
                    () -> second,
                    () -> second.status().replicas().size() == 3);
            Checks.stays(
                    "no pod of a gang of two is placed beside room for one",
                    Duration.ofSeconds(5),
                    () -> second,
                    () -> placed(client, "second") == 0);
            executor.delete(NAMESPACE, "first");
            placed(client, second, 3);
            System.out.println("kubernetes: a gang of two waited for room, and then all three pods were placed");
            KubernetesRun third = executor.submit(job("third", 1));
            placed(client, third, 1);
            System.out.println("kubernetes: a gang of one of an elastic job was placed, and the others wait");
            executor.delete(NAMESPACE, "second");
            executor.delete(NAMESPACE, "third");
        }
    }

    /** Returns a job of three workers of a CPU each. */
    private static Job job(String name, int least) {
        return Job.named(name)
                .namespace(NAMESPACE)
                .image("edl.local/busybox:1")
                .tensorflow()
                .request("cpu=1,memory=16Mi")
                .workers(3, role -> role.elastic(least, 3))
                .build();
    }

    private static void placed(KubernetesClient client, KubernetesRun run, int pods) throws InterruptedException {
        String job = run.plan().name();
        Checks.until(pods + " pods of " + job + " are placed", () -> run, () -> placed(client, job) == pods);
    }

    private static long placed(KubernetesClient client, String job) {
        return client.pods().inNamespace(NAMESPACE).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().contains(job))
                .map(Pod::getSpec)
                .filter(spec -> spec.getNodeName() != null)
                .count();
    }
}
