package dev.edl.cli;

import dev.edl.k8s.KubernetesExecutor;
import dev.edl.operators.CustomResourceExecutor;
import dev.edl.operators.JobResource;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;

/**
 * Job of a custom resource, which an operator or EDL's controller runs.
 *
 * @param client client of the cluster
 * @param resource kind of the custom resource
 * @param namespace namespace of the job
 * @param name name of the job and of its resource
 */
record OperatorJob(KubernetesClient client, JobResource resource, String namespace, String name) {
    /**
     * Returns the job of a custom resource. If the job has a record, the resource must own it: EDL's controller writes
     * such a record. Empty if there is no resource; also if this account may not read it, unless it owns the record.
     */
    static Optional<OperatorJob> of(KubernetesExecutor executor, String namespace, String name) {
        KubernetesClient client = executor.client();
        ConfigMap record = recorded(executor, namespace, name)
                ? client.configMaps()
                        .inNamespace(namespace)
                        .withName(KubernetesExecutor.recordOf(name))
                        .get()
                : null;
        return ResourceKind.resources()
                .filter(resource -> record == null || owns(resource, record))
                .map(resource -> new OperatorJob(client, resource, namespace, name))
                .filter(job -> job.exists(record != null))
                .findFirst();
    }

    private static boolean recorded(KubernetesExecutor executor, String namespace, String name) {
        try {
            // Unlike a read of the ConfigMap, it explains a cluster that does not answer.
            executor.find(namespace, name);
            return true;
        } catch (IllegalArgumentException missing) {
            return false;
        }
    }

    private static boolean owns(JobResource resource, ConfigMap record) {
        return Optional.ofNullable(record.getMetadata().getOwnerReferences()).stream()
                .flatMap(List::stream)
                .anyMatch(owner -> owner.getApiVersion().equals(resource.apiVersion())
                        && owner.getKind().equals(resource.kind()));
    }

    private boolean exists(boolean owner) {
        try {
            return executor().exists(namespace, name);
        } catch (KubernetesClientException e) {
            if (!owner && e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return false;
            }
            throw e;
        }
    }

    /** Returns the status from the resource and its operator's pods. */
    JobReport report() {
        return new JobReport(namespace, executor().status(namespace, name), "the operator of " + resource);
    }

    /** Changes the number of replicas of a role by the resource, or by a ScaleIn or ScaleOut of a TrainingJob. */
    void scale(String role, int replicas) {
        try (CustomResourceExecutor executor = executor()) {
            executor.attach(namespace, name).scale(role, replicas);
        }
    }

    /** Deletes the resource; the cluster then deletes the job's record and pods. */
    void delete() {
        executor().delete(namespace, name);
    }

    private CustomResourceExecutor executor() {
        return CustomResourceExecutor.using(client, resource);
    }
}
