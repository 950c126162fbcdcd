package dev.edl.k8s.render;

import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.RoleTemplate;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import java.util.stream.Collectors;

/** A role's template and a replica's identity, as a pod template. */
final class PodComposer {
    private final JobPlan plan;

    PodComposer(JobPlan plan) {
        this.plan = plan;
    }

    PodTemplateSpec compose(Identity identity) {
        RoleTemplate template = identity.role().template();
        Mounts mounts = new Mounts(template.volumes());
        PodSpecBuilder spec = new PodSpecBuilder()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withRestartPolicy("Never")
                .withSecurityContext(Hardening.pod())
                .withContainers(container(identity, mounts))
                .withVolumes(mounts.volumes());
        identity.priorityClass().ifPresent(spec::withPriorityClassName);
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(identity.labels())
                .withAnnotations(plan.annotations())
                .endMetadata()
                .withSpec(spec.build())
                .build();
    }

    private Container container(Identity identity, Mounts mounts) {
        RolePlan role = identity.role();
        return new ContainerBuilder()
                .withName(plan.framework().id())
                .withImage(image(role))
                .withCommand(Literal.of(role.template().command()))
                .withArgs(Literal.of(role.template().args()))
                .withEnv(identity.env())
                .addNewPort()
                .withName("edl")
                .withContainerPort(role.port())
                .endPort()
                .withResources(Amounts.of(role.template()))
                .withSecurityContext(Hardening.container())
                .withVolumeMounts(mounts.mounts())
                .build();
    }

    private String image(RolePlan role) {
        return role.template().image().orElseThrow(() -> {
            String without = plan.roles().stream()
                    .filter(r -> r.template().image().isEmpty())
                    .map(r -> r.type() + ".image")
                    .collect(Collectors.joining(", "));
            return new RenderException("job \"" + plan.name() + "\": " + without
                    + " must be given, as a pod has no default; for example"
                    + " image(\"registry.example/acme/mnist:1\")");
        });
    }
}
