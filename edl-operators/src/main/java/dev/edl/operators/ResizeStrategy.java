package dev.edl.operators;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Strategy that changes the number of replicas of a job that an operator runs. */
interface ResizeStrategy {
    /**
     * Returns the number of replicas that the resource specifies for a role; empty when this strategy cannot change it.
     */
    OptionalInt wanted(CustomObject object, RoleType role);

    /**
     * Requests another number of replicas of a role; returns once the API server has accepted the request.
     *
     * @param seen resource as last read from the API server
     * @throws UnsupportedOperationException when the operator cannot scale this resource or this role
     * @throws IllegalStateException when another change of the number of replicas is in progress
     */
    void ask(
            KubernetesClient client,
            CustomResourceKind resource,
            JobPlan plan,
            CustomObject seen,
            RolePlan role,
            int replicas);

    /**
     * Requests what a user's ScaleIn or ScaleOut specifies; returns once the API server has accepted the request.
     *
     * @throws UnsupportedOperationException when the operator has no such requests
     * @throws IllegalStateException when another change of the number of replicas is in progress
     */
    default void ask(KubernetesClient client, CustomResourceKind resource, JobPlan plan, ScaleRequest request) {
        throw new UnsupportedOperationException("job \"" + plan.name() + "\" cannot be scaled by a request as a "
                + resource + ", which has no ScaleIn and ScaleOut; for example scale(\"worker\", 4)");
    }

    /** Returns a number of replicas in plain data; empty for any value other than a whole number of 32 bits. */
    static OptionalInt count(@Nullable Object replicas) {
        return replicas instanceof Long count && count == count.intValue()
                ? OptionalInt.of(count.intValue())
                : OptionalInt.empty();
    }

    /** Throws if the operator cannot scale the role. */
    static void workersOnly(CustomResourceKind resource, JobPlan plan, RolePlan role) {
        if (role.type() != RoleType.WORKER) {
            throw new UnsupportedOperationException("job \"" + plan.name() + "\": " + role.type()
                    + " cannot be scaled as a " + resource + ", whose operator scales workers only");
        }
    }
}
