package dev.edl.k8s.render;

import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGroup;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Renders a gang's PodGroup, and the labels and annotations by which pods join it.
 *
 * @see <a href="https://github.com/kubernetes-sigs/scheduler-plugins/tree/master/pkg/coscheduling">Kubernetes scheduler
 *     plugins: coscheduling</a>
 * @see <a href="https://volcano.sh/en/docs/podgroup/">Volcano: PodGroup</a>
 * @see <a href="https://kubernetes.io/docs/concepts/scheduling-eviction/gang-scheduling/">Kubernetes: gang scheduling</a>
 */
final class GangObjects {
    private GangObjects() {}

    static void join(Gang gang, String group, RoleType role, PodTemplateSpec pod) {
        if (gang.kind() == Gang.Kind.KUBERNETES) {
            pod.getSpec().setSchedulingGroup(new PodSchedulingGroup(group));
            return;
        }
        if (gang.kind() == Gang.Kind.COSCHEDULING) {
            Map<String, String> labels = new TreeMap<>(pod.getMetadata().getLabels());
            labels.put("scheduling.x-k8s.io/pod-group", group);
            pod.getMetadata().setLabels(labels);
            return;
        }
        Map<String, String> annotations = new TreeMap<>(pod.getMetadata().getAnnotations());
        annotations.put("scheduling.k8s.io/group-name", group);
        annotations.put("volcano.sh/task-spec", role.id());
        pod.getMetadata().setAnnotations(annotations);
        if (pod.getSpec().getSchedulerName() == null) {
            pod.getSpec().setSchedulerName("volcano");
        }
    }

    /**
     * Returns the PodGroup of a job's pods.
     *
     * @param pod returns an example pod of a role, whose requests are counted
     */
    static HasMetadata group(JobPlan plan, String name, Gang gang, Function<RolePlan, PodSpec> pod) {
        GenericKubernetesResource group = new GenericKubernetesResource();
        group.setApiVersion(
                switch (gang.kind()) {
                    case COSCHEDULING -> "scheduling.x-k8s.io/v1alpha1";
                    case VOLCANO -> "scheduling.volcano.sh/v1beta1";
                    case KUBERNETES -> "scheduling.k8s.io/v1alpha2";
                });
        group.setKind("PodGroup");
        group.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(plan.namespace())
                .withLabels(plan.selector())
                .withAnnotations(plan.annotations())
                .build());
        group.setAdditionalProperty("spec", spec(plan, gang, pod));
        return group;
    }

    private static Map<String, Object> spec(JobPlan plan, Gang gang, Function<RolePlan, PodSpec> pod) {
        int members = gang.members()
                .orElseGet(() -> plan.roles().stream()
                        .mapToInt(role -> role.bounds().min())
                        .sum());
        if (gang.kind() == Gang.Kind.KUBERNETES) {
            return Map.of("schedulingPolicy", Map.of("gang", Map.of("minCount", members)));
        }
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("minMember", members);
        Map<String, String> resources = resources(plan, gang, pod);
        if (!resources.isEmpty()) {
            spec.put("minResources", resources);
        }
        gang.queue().ifPresent(queue -> spec.put("queue", queue));
        gang.timeout().ifPresent(timeout -> spec.put("scheduleTimeoutSeconds", (int) timeout.toSeconds()));
        return spec;
    }

    /**
     * Returns the total requests of the pods that start together. If {@link Gang#members} is set, these are the first
     * pods in the plan's role order.
     */
    private static Map<String, String> resources(JobPlan plan, Gang gang, Function<RolePlan, PodSpec> pod) {
        Map<String, BigDecimal> all = new TreeMap<>();
        int left = gang.members().orElse(Integer.MAX_VALUE);
        for (RolePlan role : plan.roles()) {
            int count = Math.min(
                    left,
                    gang.members().isPresent() ? role.replicas() : role.bounds().min());
            left -= count;
            if (count > 0) {
                BigDecimal times = BigDecimal.valueOf(count);
                EffectivePodResources.requests(pod.apply(role))
                        .forEach((resource, amount) -> all.merge(resource, amount.multiply(times), BigDecimal::add));
            }
        }
        Map<String, String> quantities = new TreeMap<>();
        all.forEach((resource, amount) -> quantities.put(resource, EffectivePodResources.text(amount)));
        return quantities;
    }
}
