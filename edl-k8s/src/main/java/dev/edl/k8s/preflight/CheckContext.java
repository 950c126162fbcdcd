package dev.edl.k8s.preflight;

import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.preflight.internal.ExecutorPermissions;
import dev.edl.k8s.preflight.internal.LookupResult;
import dev.edl.k8s.preflight.internal.PodSet;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Input of the checks: a job and its cluster.
 *
 * @param objects the job's objects other than its pods
 * @param groups the job's pods, grouped by equal specs
 * @param rights permissions that the executor needs to run the job
 * @param more further permissions of the client: cluster-wide, or in the namespace if there is a custom resource
 * @param delegated the custom resource that is created instead of all objects, if another program runs the job
 */
record CheckContext(
        KubernetesClient client,
        JobPlan plan,
        List<HasMetadata> objects,
        List<PodSet> groups,
        ExecutorPermissions rights,
        List<PolicyRule> more,
        Optional<GenericKubernetesResource> delegated,
        ProblemCollector findings) {

    /** Returns a context with these groups of pods. */
    CheckContext withGroups(List<PodSet> podSets) {
        return new CheckContext(client, plan, objects, podSets, rights, more, delegated, findings);
    }

    String namespace() {
        return plan.namespace();
    }

    /** Returns whether the job creates an object of this kind and name. */
    boolean makes(Class<? extends HasMetadata> kind, String name) {
        return objects.stream()
                .anyMatch(object -> kind.isInstance(object)
                        && object.getMetadata().getName().equals(name));
    }

    /**
     * Reads an object from the cluster. If the read is forbidden, the report has the topic as not checked, and the
     * result is unknown.
     *
     * @param where path of the job's field because of which the object is read
     * @param what description of the object, such as {@code ResourceQuotas of namespace "test"}
     * @param right required permission, such as {@code list resourcequotas}
     */
    <T> LookupResult<T> lookUp(ProblemTopic topic, String where, String what, String right, Supplier<@Nullable T> ask) {
        try {
            return LookupResult.of(Optional.ofNullable(ask.get()));
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return LookupResult.of(Optional.empty());
            }
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
            findings.notChecked(
                    topic,
                    where,
                    what + " could not be read",
                    "the client may not " + right,
                    new ProblemFix(
                            "skip this check, or have the permission granted:"
                                    + " SubmitterRole.of(plan, options).preflight()",
                            MissingPermission.in(String.valueOf(e.getMessage())).map(MissingPermission::command)));
            return LookupResult.unknown();
        }
    }
}
