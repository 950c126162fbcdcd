package dev.edl.k8s.render.internal.profiles;

import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.RolePlan;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Replicas whose address is in another replica's environment. A worker of ElasticDL, which no replica calls, needs no
 * Service, so thousands of workers need none.
 */
final class AddressedReplicas {
    private static final Pattern NO_ADDRESS = Pattern.compile("[^A-Za-z0-9.:-]+");

    private AddressedReplicas() {}

    /** Returns the addressed initial replicas, by role and index. */
    static List<Endpoint> of(JobPlan plan) {
        Set<String> named = new HashSet<>();
        plan.roles().forEach(role -> samples(plan, role).forEach(replica -> addTo(named, replica)));
        return plan.roles().stream()
                .flatMap(role -> plan.endpoints(role).stream())
                .filter(endpoint -> named.contains(endpoint.address()) || named.contains(endpoint.host()))
                .toList();
    }

    /** Returns the first and the last replica: the first one's own address is also in the last one's environment. */
    private static List<ReplicaPlan> samples(JobPlan plan, RolePlan role) {
        return IntStream.of(0, role.replicas() - 1)
                .distinct()
                .mapToObj(index -> plan.replica(role.type(), index, index))
                .toList();
    }

    private static void addTo(Set<String> named, ReplicaPlan replica) {
        Endpoint own = replica.endpoint();
        for (String value : replica.env().values()) {
            for (String word : NO_ADDRESS.split(value)) {
                if (!word.equals(own.address()) && !word.equals(own.host())) {
                    named.add(word);
                }
            }
        }
    }
}
