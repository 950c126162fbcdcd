package dev.edl.plan;

import dev.edl.RoleType;
import java.util.Map;
import java.util.Optional;

/**
 * Plan of one replica.
 *
 * @param name name of its object, {@code elasticdl-mnist-worker-4}
 * @param role its role
 * @param id its id within the role, from 0; never reused in a worker role
 * @param index its position within the role, from 0; a relaunched replica has its predecessor's
 * @param endpoint its address
 * @param env its whole environment, sorted by name
 * @param priorityClass its PriorityClass; empty when the job sets none
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
        env = SortedCopies.copy(env);
        labels = SortedCopies.copy(labels);
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
