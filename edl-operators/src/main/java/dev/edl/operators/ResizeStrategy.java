package dev.edl.operators;

import dev.edl.RoleType;
import dev.edl.operators.crd.CustomObject;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.OptionalInt;

/** How a job is told to have another number of replicas while its operator runs it. */
interface ResizeStrategy {
    /** How many replicas of a role the resource asks for now; empty when it does not change. */
    OptionalInt wanted(CustomObject object, RoleType role);

    /**
     * Asks the operator for another number; returns when the request is in the cluster.
     *
     * @param seen the resource as it is there
     * @throws UnsupportedOperationException when this resource cannot, or not this role
     * @throws IllegalStateException when it cannot now
     */
    void ask(
            KubernetesClient client,
            JobResource resource,
            JobPlan plan,
            CustomObject seen,
            RolePlan role,
            int replicas);

    /** Makes sure of a role that the operator scales. */
    static void workersOnly(JobResource resource, JobPlan plan, RolePlan role) {
        if (role.type() != RoleType.WORKER) {
            throw new UnsupportedOperationException("job \"" + plan.name() + "\": " + role.type()
                    + " cannot be scaled as a " + resource + ", whose operator scales workers only");
        }
    }
}
