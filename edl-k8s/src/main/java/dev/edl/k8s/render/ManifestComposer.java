package dev.edl.k8s.render;

import dev.edl.RoleType;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Puts the objects of a plan together, in an order in which they can be applied. */
final class ManifestComposer {
    private final JobPlan plan;
    private final Workload workload;
    private final PodComposer pods;
    private final Map<RoleType, Identity> shared = new EnumMap<>(RoleType.class);

    ManifestComposer(JobPlan plan, Workload workload) {
        this.plan = plan;
        this.workload = workload;
        this.pods = new PodComposer(plan);
        if (workload == Workload.INDEXED_JOBS) {
            plan.roles().forEach(role -> Sharing.of(plan, role).ifPresent(of -> shared.put(role.type(), of)));
        }
    }

    List<HasMetadata> objects() {
        List<HasMetadata> objects = new ArrayList<>();
        Addressed.of(plan).forEach(endpoint -> objects.add(Services.of(plan, endpoint, selector(endpoint))));
        plan.roles().forEach(role -> workloads(role).forEach(objects::add));
        return objects;
    }

    private Map<String, String> selector(Endpoint endpoint) {
        Identity role = shared.get(endpoint.role());
        if (role == null) {
            return plan.replica(endpoint.role(), endpoint.index(), endpoint.index())
                    .labels();
        }
        Map<String, String> selector = new TreeMap<>(role.labels());
        selector.put(Sharing.INDEX_KEY, Integer.toString(endpoint.index()));
        return selector;
    }

    private Stream<HasMetadata> workloads(RolePlan role) {
        Identity all = shared.get(role.type());
        Jobs jobs = new Jobs(plan);
        if (all != null) {
            return Stream.of(jobs.indexed(all, pods.compose(all)));
        }
        return IntStream.range(0, role.replicas())
                .mapToObj(index -> Identity.of(role, plan.replica(role.type(), index, index)))
                .map(replica -> workload == Workload.PODS ? pod(replica) : jobs.single(replica, pods.compose(replica)));
    }

    private Pod pod(Identity replica) {
        PodTemplateSpec template = pods.compose(replica);
        return new PodBuilder()
                .withNewMetadataLike(template.getMetadata())
                .withName(replica.name())
                .withNamespace(plan.namespace())
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
    }
}
