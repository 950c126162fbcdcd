package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks a job that is submitted, loses a worker, is scaled, changes its driver and ends; then one delete leaves
 * nothing.
 */
@OnCluster("--nodes 3")
class Submit {
    @Test
    void a_job_is_submitted_scaled_and_taken_over() throws Exception {
        String namespace = "edl-submit";
        PodOptions options = PodOptions.builder()
                .runAsUser(1000)
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withTerminationGracePeriodSeconds(1L)
                        .endSpec()
                        .build())
                .build();
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, namespace, true);
            // A file ends it with success, a signal without.
            Job job = Job.named("mnist")
                    .namespace(namespace)
                    .image("edl.local/busybox:1")
                    .command("sh", "-c", "trap 'exit 143' TERM; while [ ! -e /tmp/go ]; do sleep 0.1; done")
                    .request("cpu=100m,memory=16Mi")
                    .master()
                    .ps(2)
                    .workers(4, workers -> workers.elastic(1, 6))
                    .build();
            KubernetesExecutor first = KubernetesExecutor.using(client, options);
            KubernetesRun run = first.submit(job);
            run.onEvent(event -> System.out.println("  " + event));
            settled(run, Map.of("master", 1, "ps", 2, "worker", 4), Set.of("worker-0"));
            System.out.println(run);

            client.pods()
                    .inNamespace(namespace)
                    .withName("elasticdl-mnist-worker-0")
                    .delete();
            settled(run, Map.of("master", 1, "ps", 2, "worker", 4), Set.of("worker-4"));
            run.scale("worker", 6);
            settled(run, Map.of("master", 1, "ps", 2, "worker", 6), Set.of("worker-6"));
            client.pods()
                    .inNamespace(namespace)
                    .withName("elasticdl-mnist-ps-1")
                    .delete();
            await(
                    run,
                    status -> run.events().stream().anyMatch(e -> e.toString().contains("Relaunch the ps")));
            settled(run, Map.of("master", 1, "ps", 2, "worker", 6), Set.of("ps-1"));

            // The first driver is not closed: it must notice that it no longer drives the job.
            try (KubernetesExecutor second = KubernetesExecutor.using(client, options)) {
                KubernetesRun taken = second.attach(namespace, "mnist");
                taken.onEvent(event -> System.out.println("  (second) " + event));
                settled(taken, Map.of("master", 1, "ps", 2, "worker", 6), Set.of("worker-6"));
                taken.scale("worker", 2);
                settled(taken, Map.of("master", 1, "ps", 2, "worker", 2), Set.of());
                System.out.println(taken);
                for (String name : List.of("elasticdl-mnist-master")) {
                    client.pods()
                            .inNamespace(namespace)
                            .withName(name)
                            .writingOutput(System.out)
                            .exec("touch", "/tmp/go")
                            .close();
                }
                JobStatus end = taken.await(Checks.LIMIT);
                System.out.println(end);
                Checks.check(end.phase() == JobPhase.SUCCEEDED, "the job ended as " + end.phase());
                first.close();
                second.delete(namespace, "mnist");
                await(
                        taken,
                        status -> client.pods()
                                        .inNamespace(namespace)
                                        .list()
                                        .getItems()
                                        .isEmpty()
                                && client.services()
                                        .inNamespace(namespace)
                                        .list()
                                        .getItems()
                                        .isEmpty());
            }
            client.namespaces().withName(namespace).delete();
            System.out.println("kubernetes: a job was submitted, relaunched, scaled, taken over and removed");
        }
        List<String> left = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("edl-"))
                .toList();
        Checks.check(left.isEmpty(), "threads are left: " + left);
    }

    private static void settled(KubernetesRun run, Map<String, Integer> running, Set<String> there)
            throws InterruptedException {
        await(run, status -> {
            Map<String, Integer> seen = new TreeMap<>(status.replicas().stream()
                    .filter(r -> r.status().equals("Running"))
                    .collect(Collectors.groupingBy(r -> r.role().id(), Collectors.summingInt(r -> 1))));
            return seen.equals(new TreeMap<>(running))
                    && there.stream()
                            .allMatch(name -> status.replicas().stream()
                                    .anyMatch(r -> r.name().endsWith(name)));
        });
    }

    private static void await(KubernetesRun run, Predicate<JobStatus> what) throws InterruptedException {
        Checks.until("the job is as expected", () -> run, () -> what.test(run.status()));
    }
}
