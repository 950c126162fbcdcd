package dev.edl.operators;

import dev.edl.RoleType;
import dev.edl.operators.crd.CustomObject;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.OptionalInt;

/** Strategy that changes the number of replicas of a job that an operator runs. */
interface ResizeStrategy {
    /** Returns the number of replicas of a role that the resource specifies; empty when it cannot change. */
    OptionalInt wanted(CustomObject object, RoleType role);

    /**
     * Requests another number of replicas; returns once the API server has accepted it.
     *
     * @param seen the resource as observed
     * @throws UnsupportedOperationException when the operator cannot scale this resource or this role
     * @throws IllegalStateException when another change is in progress
     */
    void ask(
            KubernetesClient client,
            JobResource resource,
            JobPlan plan,
            CustomObject seen,
            RolePlan role,
            int replicas);

    /** Throws unless the role is one that the operator scales. */
    static void workersOnly(JobResource resource, JobPlan plan, RolePlan role) {
        if (role.type() != RoleType.WORKER) {
            throw new UnsupportedOperationException("job \"" + plan.name() + "\": " + role.type()
                    + " cannot be scaled as a " + resource + ", whose operator scales workers only");
        }
    }
}
