package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.KueueMetadata;
import dev.edl.k8s.render.internal.ReplicaIdentity;
import dev.edl.k8s.render.internal.ReplicaServices;
import dev.edl.k8s.render.internal.SharedPodTemplate;
import dev.edl.k8s.render.internal.profiles.ProfileRenderer;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.plan.RolePlan;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Assembles the objects of a plan in the order in which they can be applied. */
final class ManifestComposer {
    /** Maximum number of a role's replicas for which the default workload creates one Job each. */
    private static final int MOST_JOBS = 1000;

    /** Number of a role's first replicas that {@link #some} renders, in addition to the last one. */
    private static final int SOME = 100;

    private final JobPlan plan;
    private final PodOptions options;
    private final Workload workload;
    private final PodComposer pods;
    private final ProfileRenderer renderer;
    private final Map<RoleType, ReplicaIdentity> shared = new EnumMap<>(RoleType.class);

    ManifestComposer(JobPlan plan, PodOptions options, Workload workload) {
        this.plan = plan;
        this.options = options;
        this.workload = workload;
        this.renderer = options.renderer(plan);
        this.pods = new PodComposer(plan, options);
        if (workload == Workload.INDEXED_JOBS) {
            plan.roles().forEach(role -> SharedPodTemplate.of(plan, role).ifPresent(of -> shared.put(role.type(), of)));
        }
    }

    List<HasMetadata> objects() {
        return objects(this::workloads);
    }

    List<HasMetadata> besideReplicas() {
        return objects(role -> Stream.empty());
    }

    /** Returns the plan's objects; of a large role's replicas only the first ones and the last one. */
    List<HasMetadata> some() {
        return objects(role -> workloads(
                role,
                IntStream.range(0, role.replicas()).filter(index -> index < SOME || index == role.replicas() - 1)));
    }

    private List<HasMetadata> objects(Function<RolePlan, Stream<HasMetadata>> replicas) {
        List<HasMetadata> objects = new ArrayList<>();
        options.priorityClasses().forEach((name, value) -> objects.add(priorityClass(name, value)));
        objects.addAll(ApiAccess.objects(plan, renderer, options));
        options.gang()
                .ifPresent(gang -> objects.add(GangObjects.group(plan, renderer.namePrefix(), gang, this::example)));
        renderer.mistake().ifPresent(mistake -> {
            throw new RenderException("job \"" + plan.name() + "\": " + mistake);
        });
        objects.addAll(renderer.profileObjects());
        renderer.endpointsWithService().forEach(endpoint -> objects.add(service(endpoint)));
        renderer.startOrder(plan.roles()).forEach(role -> replicas.apply(role).forEach(objects::add));
        options.tensorBoard()
                .ifPresent(board -> objects.addAll(new TensorBoardObjects(plan, options, board).objects()));
        return objects;
    }

    /** Returns an example pod of a role; all pods of the role have the same requests. */
    private PodSpec example(RolePlan role) {
        return pods.compose(ReplicaIdentity.of(plan.profile(), role, plan.replica(role.type(), 0, 0)))
                .getSpec();
    }

    private static HasMetadata priorityClass(String name, int value) {
        return new PriorityClassBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withValue(value)
                .build();
    }

    /**
     * Returns the Service of a replica. Throws a {@link RenderException} if no Service can have the replica's address,
     * as in a plan whose replicas run on one machine.
     */
    private HasMetadata service(Endpoint endpoint) {
        String name = plan.replicaName(endpoint.role(), endpoint.index());
        if (!ReplicaServices.name(endpoint).equals(name)) {
            throw new RenderException("job \"" + plan.name() + "\": " + endpoint.role() + " " + endpoint.index()
                    + " is reached at " + endpoint + ", which the Service " + name
                    + " cannot serve; render the plan from before reachedBy");
        }
        return renderer.service(endpoint, selector(endpoint));
    }

    private Map<String, String> selector(Endpoint endpoint) {
        ReplicaIdentity role = shared.get(endpoint.role());
        if (role == null) {
            return ProfileRenderer.labels(plan, endpoint);
        }
        Map<String, String> selector = new TreeMap<>(role.labels());
        selector.keySet().removeAll(plan.userLabels().keySet());
        selector.put(SharedPodTemplate.INDEX_KEY, Integer.toString(endpoint.index()));
        return selector;
    }

    private Stream<HasMetadata> workloads(RolePlan role) {
        return workloads(role, IntStream.range(0, role.replicas()));
    }

    private Stream<HasMetadata> workloads(RolePlan role, IntStream indexes) {
        ReplicaIdentity all = shared.get(role.type());
        BatchJobs jobs = new BatchJobs(plan, options);
        if (all != null) {
            return Stream.of(jobs.indexed(all, pods.compose(all)));
        }
        if (workload == Workload.INDEXED_JOBS && role.replicas() > MOST_JOBS) {
            throw new RenderException("job \"" + plan.name() + "\": " + role.type() + " would be " + role.replicas()
                    + " Jobs, because its replicas differ in more than their index: in "
                    + SharedPodTemplate.difference(plan, role).orElse("their names") + advice(role)
                    + "use Workload.JOBS to allow that many");
        }
        return indexes.mapToObj(
                        index -> ReplicaIdentity.of(plan.profile(), role, plan.replica(role.type(), index, index)))
                .map(replica -> workload == Workload.PODS ? pod(replica) : jobs.single(replica, pods.compose(replica)));
    }

    /**
     * Returns the end of an error message, with advice for PyTorch workers of a job with a master. The ranks of these workers
     * begin at 1, but their completion indexes at 0, and Kubernetes cannot add 1.
     */
    private String advice(RolePlan role) {
        boolean ranked = plan.framework() == Framework.PYTORCH
                && plan.profile() == Profile.ELASTICDL
                && role.type() == RoleType.WORKER
                && plan.role(RoleType.MASTER).isPresent()
                && !role.elastic();
        return ranked
                ? "; replace the master by one more worker, so that worker 0 leads, or make the workers elastic, or "
                : "; ";
    }

    private Pod pod(ReplicaIdentity replica) {
        PodTemplateSpec template = pods.compose(replica);
        KueueMetadata.join(
                plan,
                renderer.namePrefix(),
                options.queue(),
                replica.role(),
                Integer.parseInt(replica.index()),
                template.getMetadata());
        return new PodBuilder()
                .withNewMetadataLike(template.getMetadata())
                .withName(replica.name())
                .withNamespace(plan.namespace())
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
    }
}
