package dev.edl.cli;

import dev.edl.k8s.JobClient;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.operators.CustomResourceExecutor;
import dev.edl.operators.CustomResourceKind;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Job of a custom resource, which an operator or EDL's controller runs.
 *
 * @param client client of the cluster
 * @param resource kind of the custom resource
 * @param namespace namespace of the job
 * @param name name of the job and of its resource
 */
record CustomResourceJob(KubernetesClient client, CustomResourceKind resource, String namespace, String name) {
    /**
     * Returns the job of a custom resource. A job with a record has the resource that owns the record, as EDL's
     * controller writes it; empty if there is none.
     *
     * @throws IllegalArgumentException when neither a record nor a resource has the name, or several resources have it
     */
    static Optional<CustomResourceJob> of(KubernetesExecutor executor, String namespace, String name) {
        List<CustomResourceJob> all = ResourceKind.resources()
                .map(resource -> new CustomResourceJob(executor.client(), resource, namespace, name))
                .toList();
        try {
            // Unlike a read of the ConfigMap, it explains a cluster that does not answer.
            executor.find(namespace, name);
        } catch (IllegalArgumentException missing) {
            return Optional.of(only(all, missing));
        }
        ConfigMap record = executor.client()
                .configMaps()
                .inNamespace(namespace)
                .withName(KubernetesExecutor.recordOf(name))
                .get();
        return all.stream()
                .filter(job -> record != null
                        && record.getMetadata().getOwnerReferences().stream().anyMatch(job::is))
                .findFirst();
    }

    /**
     * Returns a job with a record.
     *
     * @param refusal reason why the operator's job of a resource without a record is refused
     * @throws UnsupportedOperationException when only a custom resource has the name
     * @throws IllegalArgumentException when neither a record nor a resource has the name
     */
    static JobClient recorded(
            KubernetesExecutor executor, String namespace, String name, Function<CustomResourceKind, String> refusal) {
        try {
            return executor.find(namespace, name);
        } catch (IllegalArgumentException missing) {
            CustomResourceJob job = of(executor, namespace, name).orElseThrow(() -> missing);
            throw new UnsupportedOperationException("job \"" + name + "\" " + refusal.apply(job.resource));
        }
    }

    private boolean is(OwnerReference owner) {
        return owner.getApiVersion().equals(resource.apiVersion())
                && owner.getKind().equals(resource.kind())
                && owner.getName().equals(name)
                && uid().filter(owner.getUid()::equals).isPresent();
    }

    /** Returns the job whose resource exists. Ignores kinds that this account may not read, if there is such a job. */
    private static CustomResourceJob only(List<CustomResourceJob> all, IllegalArgumentException missing) {
        // Several versions of a kind have the same objects.
        Map<String, CustomResourceJob> found = new LinkedHashMap<>();
        Set<String> refused = new LinkedHashSet<>();
        for (CustomResourceJob job : all) {
            try {
                job.uid().ifPresent(uid -> found.putIfAbsent(uid, job));
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                    throw e;
                }
                refused.add(job.resource.definition());
            }
        }
        if (found.size() > 1) {
            throw ambiguous(List.copyOf(found.values()));
        }
        return found.values().stream()
                .findFirst()
                .orElseThrow(() -> refused.isEmpty()
                        ? missing
                        : new IllegalArgumentException(
                                missing.getMessage() + "; this account may not read " + String.join(", ", refused),
                                missing));
    }

    private static IllegalArgumentException ambiguous(List<CustomResourceJob> jobs) {
        CustomResourceJob first = jobs.get(0);
        return new IllegalArgumentException("job \"" + first.name + "\" must be one resource of namespace \""
                + first.namespace + "\", was "
                + jobs.stream().map(job -> job.resource.toString()).collect(Collectors.joining(" and "))
                + "; delete one of them:"
                + jobs.stream()
                        .map(job -> "\n  kubectl delete " + job.resource.definition() + " " + job.name + " -n "
                                + job.namespace)
                        .collect(Collectors.joining()));
    }

    private Optional<String> uid() {
        return executor().uid(namespace, name);
    }

    /** Returns the status from the resource and its operator's pods. */
    PrintedJobStatus report() {
        return new PrintedJobStatus(
                namespace, executor().status(namespace, name), "the operator of " + resource, Optional.empty());
    }

    /** Deletes the resource; the cluster then deletes the job's record and pods. */
    void delete() {
        executor().delete(namespace, name);
    }

    /** Returns an executor of the job, which the caller closes. */
    CustomResourceExecutor executor() {
        return CustomResourceExecutor.using(client, resource);
    }
}
