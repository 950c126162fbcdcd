package dev.edl.conformance.queues;

import dev.edl.conformance.Checks;
import dev.edl.conformance.Kubectl;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Namespace with a LocalQueue {@code team-a} and a ClusterQueue of its own, whose CPU is the quota. */
final class Quota {
    private static final String VERSION = "kueue.x-k8s.io/v1beta2";

    private final KubernetesClient client;
    private final String namespace;

    private Quota(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** Creates the namespace and the queues of docs/queues.md, whose quota is 1 CPU. */
    static Quota of(KubernetesClient client, String namespace) throws Exception {
        return of(client, namespace, yaml -> yaml);
    }

    /** Creates the namespace and changed queues of docs/queues.md. */
    static Quota of(KubernetesClient client, String namespace, UnaryOperator<String> change) throws Exception {
        Quota quota = new Quota(client, namespace);
        Checks.namespace(client, namespace, false);
        Kubectl.run(
                "apply",
                "-f",
                Checks.file(change.apply(QueuesPage.blocks("yaml").get(0)).replace("vision", namespace)));
        Checks.soon(
                "the queue admits jobs",
                quota::queue,
                () -> quota.queue().toString().contains("Can admit new workloads"));
        return quota;
    }

    private GenericKubernetesResource queue() {
        return client.genericKubernetesResources(VERSION, "ClusterQueue")
                .withName(namespace)
                .get();
    }

    /** Returns the CPU that admitted workloads use, in thousandths. */
    int used() {
        List<Map<String, Object>> flavors = queue().get("status", "flavorsUsage");
        return flavors == null
                ? 0
                : flavors.stream()
                        .flatMap(flavor -> ((List<?>) flavor.get("resources")).stream())
                        .map(resource -> (Map<?, ?>) resource)
                        .filter(resource -> "cpu".equals(resource.get("name")))
                        .mapToInt(resource -> Quantity.getAmountInBytes(
                                        new Quantity(String.valueOf(resource.get("total"))))
                                .multiply(BigDecimal.valueOf(1000))
                                .intValue())
                        .sum();
    }

    /** Waits until admitted workloads use so much CPU, in thousandths. */
    void uses(String when, int milli) throws InterruptedException {
        Checks.until(when + " the queue uses " + milli + "m", this::state, () -> used() == milli);
    }

    /** Waits until no pod of a namespace is left. */
    void empty(String when) throws InterruptedException {
        Checks.until(
                when + " no pod is left",
                this::state,
                () -> client.pods().inNamespace(namespace).list().getItems().isEmpty());
    }

    /** Returns the names and uids of the pods that run, by the end of their name. */
    Map<String, String> running(String job) {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .filter(pod -> "Running".equals(pod.getStatus().getPhase())
                        && pod.getMetadata().getDeletionTimestamp() == null
                        && pod.getMetadata().getName().startsWith("elasticdl-" + job + "-"))
                .collect(Collectors.toMap(
                        pod -> pod.getMetadata().getName().replace("elasticdl-" + job + "-", ""),
                        pod -> pod.getMetadata().getUid()));
    }

    /** Returns the reasons of the events about pods that Kueue itself deleted. */
    List<String> deletions() {
        return client.events().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> "ExcessPodDeleted".equals(event.getReason()))
                .map(event -> String.valueOf(event.getRegarding().getName()))
                .toList();
    }

    /** Returns pods and workloads, for the message of a check that fails. */
    String state() {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                        .map(pod -> pod.getMetadata().getName() + " "
                                + pod.getStatus().getPhase()
                                + (pod.getMetadata().getDeletionTimestamp() == null ? "" : ", terminating")
                                + (pod.getSpec().getSchedulingGates().isEmpty() ? "" : ", gated")
                                + " " + pod.getMetadata().getFinalizers())
                        .collect(Collectors.joining("\n"))
                + client
                        .genericKubernetesResources(VERSION, "Workload")
                        .inNamespace(namespace)
                        .list()
                        .getItems()
                        .stream()
                        .map(one -> "\n" + one.getMetadata().getName() + " " + one.get("status", "conditions"))
                        .collect(Collectors.joining())
                + "\nused " + used() + "m";
    }
}
