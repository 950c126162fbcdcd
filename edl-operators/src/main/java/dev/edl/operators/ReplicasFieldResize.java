package dev.edl.operators;

import dev.edl.operators.crd.CustomObject;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Strategy for a resource whose operator follows the field {@code replicas} of a role: the operator creates replicas of
 * missing indexes and deletes those with the highest indexes.
 *
 * @param specs key of the spec under which the resource has its roles, such as {@code tfReplicaSpecs}
 */
record ReplicasFieldResize(String specs) implements ResizeStrategy {
    @Override
    public OptionalInt wanted(CustomObject object, RoleType role) {
        Map<?, ?> roles = roles(object);
        return ResizeStrategy.count(map(roles.get(key(roles, role).orElse(""))).get("replicas"));
    }

    private Map<?, ?> roles(CustomObject object) {
        return map(map(object.fields().get("spec")).get(specs));
    }

    /** Returns the key of the role as written in the resource; the operator ignores its case. */
    private static Optional<String> key(Map<?, ?> roles, RoleType role) {
        return roles.keySet().stream()
                .map(String::valueOf)
                .filter(role.id()::equalsIgnoreCase)
                .findFirst();
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    @Override
    public void ask(
            KubernetesClient client,
            CustomResourceKind resource,
            JobPlan plan,
            CustomObject seen,
            RolePlan role,
            int replicas) {
        ResizeStrategy.workersOnly(resource, plan, role);
        String key = key(roles(seen), role.type())
                .orElseThrow(() -> new IllegalStateException(seen + " has no " + role.type() + " in spec." + specs));
        client.genericKubernetesResources(resource.context())
                .inNamespace(plan.namespace())
                .withName(plan.name())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"" + specs + "\":{\"" + key + "\":{\"replicas\":" + replicas + "}}}}");
    }
}
