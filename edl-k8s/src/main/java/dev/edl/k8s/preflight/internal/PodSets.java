package dev.edl.k8s.preflight.internal;

import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Groups equal pods of a job: by role, and within a role by priority class. */
public final class PodSets {
    private PodSets() {}

    public static List<PodSet> of(JobPlan plan, PodOptions options, List<HasMetadata> objects) {
        PodTemplates templates = PodTemplates.of(plan, options);
        List<PodSet> podSets = new ArrayList<>();
        plan.roles().forEach(role -> podSets.addAll(of(plan, templates, role)));
        objects.stream()
                .filter(Deployment.class::isInstance)
                .map(Deployment.class::cast)
                .map(board -> new PodSet(
                        "tensorBoard",
                        1,
                        0,
                        pod(board.getMetadata().getName(), plan, board.getSpec().getTemplate())))
                .forEach(podSets::add);
        return podSets;
    }

    private static List<PodSet> of(JobPlan plan, PodTemplates templates, RolePlan role) {
        String word = role.type().id();
        Map<String, List<Integer>> byPriority = IntStream.range(0, role.replicas())
                .boxed()
                .collect(Collectors.groupingBy(
                        index -> role.template()
                                .priority()
                                .map(priority -> priority.classFor(index, role.replicas()))
                                .orElse(""),
                        LinkedHashMap::new,
                        Collectors.toList()));
        List<PodSet> podSets = new ArrayList<>();
        byPriority.values().forEach(indices -> {
            int first = indices.get(0);
            int least = (int) indices.stream()
                    .filter(index -> index < role.bounds().min())
                    .count();
            Pod pod = pod(plan.replicaName(role.type(), first), plan, templates.get(role.type(), first, first));
            podSets.add(new PodSet(word, indices.size(), role.elastic() ? least : indices.size(), pod));
        });
        return podSets;
    }

    private static Pod pod(String name, JobPlan plan, PodTemplateSpec template) {
        return new PodBuilder()
                .withNewMetadataLike(template.getMetadata())
                .withName(name)
                .withNamespace(plan.namespace())
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
    }
}
