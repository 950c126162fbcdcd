package dev.edl.conformance.operators;

import dev.edl.conformance.Checks;
import dev.edl.conformance.Kubectl;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Checks a quota that rejects the next worker of a running TfJob: the job continues, and {@code kubectl describe} shows
 * the remedy.
 */
final class RefusedWorker {
    private static final String QUOTA = "no-more-pods";

    private RefusedWorker() {}

    /** Deletes a worker under a quota for one pod fewer, then deletes the quota. */
    static void check(KubernetesClient client, String namespace, String job, int pods) throws InterruptedException {
        Checks.until(
                "all " + pods + " pods of " + job + " exist",
                () -> there(client, namespace),
                () -> there(client, namespace).size() == pods);
        Map<String, String> before = there(client, namespace);
        Pod worker = client.pods()
                .inNamespace(namespace)
                .withLabel("job_type", "WORKER")
                .list()
                .getItems()
                .get(0);
        String name = worker.getMetadata().getName();
        ResourceQuota quota = quota(client, namespace, pods - 1);
        client.pods().resource(worker).delete();
        Checks.until(
                "kubectl describe says that " + name + " is refused, and what helps",
                () -> describe(namespace, job),
                () -> describe(namespace, job).contains("FailedCreate")
                        && describe(namespace, job).contains("could not create " + name)
                        && describe(namespace, job).contains("exceeded quota: " + QUOTA)
                        && describe(namespace, job).contains("raise the quota"));
        Checks.until(
                "the status says it as well",
                () -> status(namespace, job),
                () -> status(namespace, job).startsWith("Running Running: could not create " + name)
                        && status(namespace, job).endsWith("; raise the quota"));
        String told = status(namespace, job);
        before.remove(name);
        Checks.check(
                there(client, namespace).equals(before),
                "the other pods were to stay: " + before + ", and are " + there(client, namespace));
        client.resource(quota).delete();
        Checks.until(
                name + " exists again, and the status says nothing of it",
                () -> describe(namespace, job),
                () -> there(client, namespace).containsKey(name)
                        && status(namespace, job).equals("Running Running: "));
        System.out.println(
                "kubernetes: a quota refused a worker of a running TfJob, and kubectl describe showed it: " + told);
    }

    private static String status(String namespace, String job) {
        String fields = "jsonpath={.status.phase} {.status.state}: {.status.reason}";
        return Kubectl.run("get", "-n", namespace, "tfjobs.tensorflow.org", job, "-o", fields);
    }

    private static String describe(String namespace, String job) {
        return Kubectl.run("describe", "-n", namespace, "tfjobs.tensorflow.org", job);
    }

    /** Returns the pods that are not being deleted, with their uids. */
    private static Map<String, String> there(KubernetesClient client, String namespace) {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .collect(Collectors.toMap(
                        pod -> pod.getMetadata().getName(),
                        pod -> pod.getMetadata().getUid()));
    }

    /** Creates a quota and waits until it is enforced. */
    private static ResourceQuota quota(KubernetesClient client, String namespace, int pods)
            throws InterruptedException {
        ResourceQuota quota = client.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName(QUOTA)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("pods", new Quantity(Integer.toString(pods)))
                        .endSpec()
                        .build())
                .create();
        Checks.until("the quota is counted", () -> client.resource(quota).get(), () -> {
            ResourceQuota there = client.resource(quota).get();
            return there.getStatus() != null
                    && there.getStatus().getUsed() != null
                    && there.getStatus().getUsed().containsKey("pods");
        });
        return quota;
    }
}
