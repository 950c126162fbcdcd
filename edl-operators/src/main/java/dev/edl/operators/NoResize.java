package dev.edl.operators;

import dev.edl.operators.crd.CustomObject;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.OptionalInt;

/**
 * Strategy for a resource whose operator cannot scale it.
 *
 * @param why reason why the operator cannot scale the resource, for messages
 */
record NoResize(String why) implements ResizeStrategy {
    @Override
    public OptionalInt wanted(CustomObject object, RoleType role) {
        return OptionalInt.empty();
    }

    @Override
    public void ask(
            KubernetesClient client,
            CustomResourceKind resource,
            JobPlan plan,
            CustomObject seen,
            RolePlan role,
            int replicas) {
        throw new UnsupportedOperationException(
                "job \"" + plan.name() + "\" cannot be scaled as a " + resource + ": " + why + "; submit it again with "
                        + replicas + " " + role.type() + " replicas, or to a KubernetesExecutor");
    }
}
