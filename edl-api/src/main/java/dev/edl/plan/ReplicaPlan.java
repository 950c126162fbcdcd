package dev.edl.plan;

import dev.edl.RoleType;
import java.util.Map;
import java.util.Optional;

/**
 * One replica as it is to run.
 *
 * @param name name of its object, {@code elasticdl-mnist-worker-4}
 * @param role its role
 * @param id its id within the role, from 0; in a worker role an id is never used twice
 * @param index its place within the role, from 0; a relaunched replica has its predecessor's
 * @param endpoint where it is reached
 * @param env its whole environment, sorted by name
 * @param priorityClass its PriorityClass, when one was asked for
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

    /** For example {@code elasticdl-mnist-worker-4 (worker 4, index 0, elasticdl-mnist-worker-0.default.svc:3333)}. */
    @Override
    public String toString() {
        return name + " (" + role + " " + id + ", index " + index + ", " + endpoint + ")";
    }
}
