package dev.edl.operators;

import dev.edl.k8s.client.ConflictReasons;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.operators.crd.et.ScaleRequests;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Strategy that scales a TrainingJob by creating a ScaleIn or ScaleOut. These specify a difference to the current
 * number of workers, so only one may be in progress.
 */
record ScaleObjectResize() implements ResizeStrategy {
    private static final Set<String> ENDS = Set.of("ScaleSucceeded", "ScaleFailed");

    /**
     * Returns the number of workers from the operator's status or, before the operator has written one, from the spec.
     */
    @Override
    public OptionalInt wanted(CustomObject object, RoleType role) {
        if (role != RoleType.WORKER) {
            return OptionalInt.empty();
        }
        if (object.fields().get("status") instanceof Map<?, ?> status
                && status.get("targetWorkers") instanceof List<?> workers
                && !workers.isEmpty()) {
            return OptionalInt.of(workers.size());
        }
        return object.fields().get("spec") instanceof Map<?, ?> spec
                        && spec.get("etReplicaSpecs") instanceof Map<?, ?> roles
                        && roles.get(role.id()) instanceof Map<?, ?> one
                ? ResizeStrategy.count(one.get("replicas"))
                : OptionalInt.empty();
    }

    @Override
    public void ask(
            KubernetesClient client,
            CustomResourceKind resource,
            JobPlan plan,
            CustomObject seen,
            RolePlan role,
            int replicas) {
        ResizeStrategy.workersOnly(resource, plan, role);
        int change = replicas - wanted(seen, role.type()).orElse(role.replicas());
        if (change == 0) {
            refuseSecond(client, resource, plan);
            return;
        }
        ScaleRequest request =
                change > 0 ? ScaleRequest.out(plan.name(), change) : ScaleRequest.in(plan.name(), -change);
        ask(client, resource, plan, request.namespace(plan.namespace()));
    }

    @Override
    public void ask(KubernetesClient client, CustomResourceKind resource, JobPlan plan, ScaleRequest request) {
        refuseSecond(client, resource, plan);
        boolean out = request.change() > 0;
        // With generateName, a repeated request after a lost response would create a second object.
        String name = plan.name()
                + (out ? "-scaleout-" : "-scalein-")
                + UUID.randomUUID().toString().substring(0, 8);
        CustomObject object = ScaleRequests.write(request, name).resource();
        create(client.genericKubernetesResources(CustomResourceKind.context(
                        resource.apiVersion(), object.kind(), out ? "scaleouts" : "scaleins"))
                .inNamespace(plan.namespace())
                .resource(object.toKubernetes()));
    }

    private static void refuseSecond(KubernetesClient client, CustomResourceKind resource, JobPlan plan) {
        underWay(client, resource, plan).ifPresent(other -> {
            throw new IllegalStateException("job \"" + plan.name() + "\" cannot be scaled while " + other
                    + " is in progress; scale it again once that has ended");
        });
    }

    private static void create(Resource<GenericKubernetesResource> request) {
        try {
            request.create();
        } catch (KubernetesClientException e) {
            if (!ConflictReasons.exists(e)) {
                throw e;
            }
        }
    }

    private static Optional<CustomObject> underWay(KubernetesClient client, CustomResourceKind resource, JobPlan plan) {
        return Stream.of("ScaleIn", "ScaleOut")
                .flatMap(kind -> client
                        .genericKubernetesResources(CustomResourceKind.context(
                                resource.apiVersion(), kind, kind.equals("ScaleIn") ? "scaleins" : "scaleouts"))
                        .inNamespace(plan.namespace())
                        .list()
                        .getItems()
                        .stream()
                        .map(CustomObject::of))
                .filter(object -> of(object, plan.name()) && !ended(object))
                .findFirst();
    }

    private static boolean of(CustomObject object, String job) {
        return object.fields().get("spec") instanceof Map<?, ?> spec
                && spec.get("selector") instanceof Map<?, ?> selector
                && job.equals(selector.get("name"));
    }

    private static boolean ended(CustomObject object) {
        return object.fields().get("status") instanceof Map<?, ?> status
                && status.get("phase") instanceof String phase
                && ENDS.contains(phase);
    }
}
