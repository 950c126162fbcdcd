package dev.edl.plan;

import dev.edl.spec.RoleType;
import java.util.Map;
import java.util.Optional;

/**
 * Plan of one replica.
 *
 * @param name name of the replica's object, for example {@code elasticdl-mnist-worker-4}
 * @param role its role
 * @param id its id within the role, from 0; never reused if {@link RolePlan#freshIds} is true for the role
 * @param index its index within the role, from 0; a relaunched replica has its predecessor's index
 * @param endpoint its network address
 * @param env the environment variables that the user and the framework set, sorted by name; without those from Secrets
 * @param priorityClass name of its Kubernetes PriorityClass; empty when the job sets none
 * @param labels the labels of its object, sorted by name
 */
public record ReplicaPlan(
        String name,
        RoleType role,
        int id,
        int index,
        Endpoint endpoint,
        Map<String, String> env,
        Optional<String> priorityClass,
        Map<String, String> labels) {
    /** Copies both maps, sorted. */
    public ReplicaPlan {
        env = SortedMapCopies.copy(env);
        labels = SortedMapCopies.copy(labels);
    }

    /**
     * Returns, for example, {@code elasticdl-mnist-worker-4 (worker 4, index 0,
     * elasticdl-mnist-worker-0.default.svc:3333)}.
     */
    @Override
    public String toString() {
        return name + " (" + role + " " + id + ", index " + index + ", " + endpoint + ")";
    }
}
