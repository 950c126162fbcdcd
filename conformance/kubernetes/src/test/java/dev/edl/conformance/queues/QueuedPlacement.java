package dev.edl.conformance.queues;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Kubectl;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Places the workers of a job in one rack of the topology of docs/queues.md. Of two racks one has two nodes, which have
 * room for all workers, and the other rack's node has room for three of four.
 */
final class QueuedPlacement {
    private static final Map<String, String> RACKS = Map.of("node-1", "a", "node-2", "b", "node-3", "b");
    private static final int WORKERS = 4;

    private final KubernetesClient client;
    private final String namespace;

    QueuedPlacement(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    void places() throws Exception {
        RACKS.forEach((node, rack) -> Kubectl.run("label", "node", node, "example.com/rack=" + rack));
        Kubectl.run("apply", "-f", Checks.file(QueuesPage.blocks("yaml").get(1)));
        Quota quota = Quota.of(
                client,
                namespace,
                yaml -> yaml.replace("- name: default", "- name: racks")
                        .replace("nominalQuota: 1}", "nominalQuota: 100}"));
        // All pods request the same, so that three fit a node, of each role.
        Job job = Kueue.job(namespace, "racks", Checks.size(client, "16Mi"), 1, WORKERS, WORKERS, WORKERS)
                .build();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, QueuesPage.inOneRack());
                KubernetesRun run = executor.submit(job)) {
            Checks.until(
                    "all pods run",
                    () -> run + "\n" + quota.state(),
                    () -> quota.running("racks").size() == WORKERS + 2);
            List<Pod> pods = client.pods().inNamespace(namespace).list().getItems();
            Map<String, String> nodes = pods.stream()
                    .collect(Collectors.toMap(
                            pod -> pod.getMetadata().getName(),
                            pod -> pod.getSpec().getNodeName()));
            Set<String> racks = nodes.entrySet().stream()
                    .filter(pod -> pod.getKey().contains("-worker-"))
                    .map(pod -> RACKS.getOrDefault(pod.getValue(), pod.getValue()))
                    .collect(Collectors.toSet());
            Checks.check(racks.equals(Set.of("b")), "all workers were to be in rack b, but are on " + nodes);
            System.out.println("kubernetes: the workers are in one rack: " + nodes);
            executor.delete(namespace, "racks");
            quota.empty("after a job in one rack");
        }
    }
}
