package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.DollarEscape;
import dev.edl.k8s.render.internal.OptionSyntax;
import dev.edl.k8s.render.internal.ReplicaIdentity;
import dev.edl.k8s.render.internal.RoleMounts;
import dev.edl.k8s.render.internal.profiles.ProfileRenderer;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleTemplate;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceClaim;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Composes the pod template of a replica from its role's template, its identity and the options. */
final class PodComposer {
    private final JobPlan plan;
    private final PodOptions options;
    private final ProfileRenderer renderer;

    PodComposer(JobPlan plan, PodOptions options) {
        this.plan = plan;
        this.options = options;
        this.renderer = options.renderer(plan);
    }

    PodTemplateSpec compose(ReplicaIdentity identity) {
        RolePlan role = identity.role();
        PodSettings settings = options.of(role.type());
        PodSecurity security = settings.security().orElse(PodSecurity.of(plan.profile()));
        RoleMounts mounts = new RoleMounts(role.template().volumes());
        settings.volumes().forEach(mounted -> mounts.add(mounted.volume(), mounted.mount()));
        PodSpecBuilder spec = new PodSpecBuilder()
                .withRestartPolicy(renderer.restartPolicy(role))
                .withInitContainers(Stream.concat(settings.initContainers().stream(), settings.sidecars().stream())
                        .toList())
                .withContainers(container(identity, settings, mounts.mounts()))
                .withVolumes(mounts.volumes());
        if (!renderer.legacy()) {
            spec.withEnableServiceLinks(false);
        }
        RestrictedDefaults.pod(security, settings).ifPresent(spec::withSecurityContext);
        identity.priorityClass().ifPresent(spec::withPriorityClassName);
        account(role, settings, spec);
        placement(settings, spec);
        PodTemplateSpec pod = new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(merged(identity.labels(), settings.labels()))
                .withAnnotations(merged(plan.annotations(), settings.annotations()))
                .endMetadata()
                .withSpec(spec.build())
                .build();
        renderer.mistake(role).ifPresent(mistake -> {
            throw new RenderException("job \"" + plan.name() + "\": " + mistake);
        });
        renderer.customizePod(role, identity.index(), pod);
        options.gang().ifPresent(gang -> GangObjects.join(gang, renderer.namePrefix(), role.type(), pod));
        RestrictedDefaults.containers(security, pod.getSpec());
        AcceleratorMounts.add(options.acceleratorConfig(), pod);
        claims(settings, pod);
        return PodCustomization.apply(plan, identity, settings, security, pod);
    }

    private void account(RolePlan role, PodSettings settings, PodSpecBuilder spec) {
        ApiAccess.of(renderer, options, role.type())
                .ifPresentOrElse(account -> spec.withServiceAccountName(account.name()), () -> {
                    if (!renderer.legacy()) {
                        spec.withAutomountServiceAccountToken(false);
                    }
                });
        spec.withImagePullSecrets(settings.pulls());
    }

    static void placement(PodSettings settings, PodSpecBuilder spec) {
        Map<String, String> nodes = new TreeMap<>(settings.nodeSelector());
        settings.accelerators().forEach(accelerator -> nodes.putAll(accelerator.nodes()));
        spec.withNodeSelector(nodes);
        spec.withTolerations(settings.tolerations());
        settings.affinity().ifPresent(spec::withAffinity);
        settings.scheduler().ifPresent(spec::withSchedulerName);
        if (settings.hostNetwork().orElse(false)) {
            // Otherwise a pod on the node's network uses the node's name server, which does not resolve Services.
            spec.withHostNetwork(true).withDnsPolicy("ClusterFirstWithHostNet");
        }
    }

    /** Adds the claims for devices to a pod and to its main container. */
    static void claims(PodSettings settings, PodTemplateSpec pod) {
        Container container = pod.getSpec().getContainers().get(0);
        settings.claimTemplates().stream().distinct().forEach(template -> {
            String name = OptionSyntax.labelOf("claim", template);
            pod.getSpec().getResourceClaims().add(new PodResourceClaim(name, null, template));
            container.setResources(new ResourceRequirementsBuilder(
                            Objects.requireNonNullElseGet(container.getResources(), ResourceRequirements::new))
                    .addToClaims(new ResourceClaim(name, null))
                    .build());
        });
    }

    private Container container(ReplicaIdentity identity, PodSettings settings, List<VolumeMount> mounts) {
        RolePlan role = identity.role();
        List<EnvVar> env = new ArrayList<>(identity.env());
        new TreeMap<>(role.template().secretEnv()).forEach((name, ref) -> env.add(ReplicaIdentity.variable(name, ref)));
        env.addAll(settings.env());
        ContainerBuilder container = new ContainerBuilder()
                .withName(renderer.container(role))
                .withImage(image(role))
                .withCommand(DollarEscape.of(role.template().command()))
                .withArgs(DollarEscape.of(role.template().args()))
                .withEnv(env)
                .withEnvFrom(settings.envFrom())
                .withVolumeMounts(mounts);
        resources(role.template(), settings.accelerators()).ifPresent(container::withResources);
        renderer.port()
                .ifPresent(port -> container
                        .addNewPort()
                        .withName(port)
                        .withContainerPort(role.port())
                        .endPort());
        settings.pullPolicy().ifPresent(container::withImagePullPolicy);
        return container.build();
    }

    /** Returns the requirements of a role's container; empty when it requests and limits nothing. */
    private static Optional<ResourceRequirements> resources(RoleTemplate template, List<Accelerator> accelerators) {
        ResourceRequirements amounts = new ResourceRequirementsBuilder()
                .withRequests(quantities(template.requests().orElse(Resources.of()), accelerators))
                .withLimits(quantities(template.effectiveLimits(), accelerators))
                .build();
        return amounts.getLimits().isEmpty() && amounts.getRequests().isEmpty()
                ? Optional.empty()
                : Optional.of(amounts);
    }

    private static Map<String, Quantity> quantities(Resources resources, List<Accelerator> accelerators) {
        Map<String, Quantity> quantities = new LinkedHashMap<>();
        resources.amounts().forEach((name, amount) -> quantities.put(name, new Quantity(amount)));
        accelerators.forEach(accelerator ->
                quantities.put(accelerator.resource(), new Quantity(Integer.toString(accelerator.count()))));
        return quantities;
    }

    private String image(RolePlan role) {
        return role.template().image().or(() -> renderer.image(role)).orElseThrow(() -> {
            String without = plan.roles().stream()
                    .filter(r ->
                            r.template().image().or(() -> renderer.image(r)).isEmpty())
                    .map(r -> r.type() + ".image")
                    .collect(Collectors.joining(", "));
            return new RenderException("job \"" + plan.name() + "\": " + without
                    + " must be set, because a pod has no default image; for example"
                    + " image(\"registry.example/acme/mnist:1\")");
        });
    }

    private static Map<String, String> merged(Map<String, String> first, Map<String, String> second) {
        Map<String, String> merged = new TreeMap<>(first);
        merged.putAll(second);
        return merged;
    }
}
