package dev.edl.k8s.render.internal;

import dev.edl.plan.Profile;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.SecretRef;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Values of a pod that are not in its role's template: for one replica, or for all replicas of a role.
 *
 * @param name name of the pod or Job
 * @param role role that has the template
 * @param index index of the replica, or the variable that Kubernetes expands to it
 * @param labels sorted
 * @param priorityClass name of the priority class, if one is set
 * @param env environment variables, in the order in which the container gets them
 */
public record ReplicaIdentity(
        String name,
        RolePlan role,
        String index,
        Map<String, String> labels,
        Optional<String> priorityClass,
        List<EnvVar> env) {
    /** Returns the identity of one replica. */
    public static ReplicaIdentity of(Profile profile, RolePlan role, ReplicaPlan replica) {
        List<EnvVar> env = EnvOrder.of(profile, role, replica).entrySet().stream()
                .map(variable -> variable(variable.getKey(), DollarEscape.of(variable.getValue())))
                .toList();
        return new ReplicaIdentity(
                replica.name(),
                role,
                Integer.toString(replica.index()),
                replica.labels(),
                replica.priorityClass(),
                env);
    }

    public static EnvVar variable(String name, SecretRef ref) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewSecretKeyRef()
                .withName(ref.secret())
                .withKey(ref.key())
                .endSecretKeyRef()
                .endValueFrom()
                .build();
    }

    public static EnvVar variable(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }
}
