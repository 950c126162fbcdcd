package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.Owner;
import dev.edl.k8s.render.internal.PodAdditions;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Applies options to a pod template of a custom resource, from which an operator creates pods. */
final class PodTemplateOverlay {
    private PodTemplateOverlay() {}

    static PodTemplateSpec with(PodOptions options, RoleType role, PodTemplateSpec given) {
        PodSettings settings = options.of(role);
        PodTemplateSpec pod = new PodTemplateSpecBuilder(given)
                .withMetadata(metadata(given.getMetadata(), settings))
                .editSpec()
                .addAllToInitContainers(Stream.concat(settings.initContainers().stream(), settings.sidecars().stream())
                        .toList())
                .endSpec()
                .build();
        PodSpecBuilder spec = new PodSpecBuilder(pod.getSpec());
        settings.serviceAccount().ifPresent(spec::withServiceAccountName);
        spec.addAllToImagePullSecrets(
                settings.pullSecrets().stream().map(LocalObjectReference::new).toList());
        PodComposer.placement(settings, spec);
        RestrictedDefaults.pod(settings.security().orElse(PodSecurity.AS_GIVEN), settings)
                .ifPresent(spec::withSecurityContext);
        pod.setSpec(spec.build());
        container(settings, pod.getSpec().getContainers().get(0));
        settings.volumes().forEach(mounted -> mount(pod, mounted));
        settings.security().ifPresent(security -> RestrictedDefaults.containers(security, pod.getSpec()));
        AcceleratorMounts.add(options.acceleratorConfig(), pod);
        PodComposer.claims(settings, pod);
        PodTemplateSpec changed = pod;
        for (UnaryOperator<PodTemplateSpec> tweak : settings.tweaks()) {
            changed = tweak.apply(changed);
        }
        return changed;
    }

    private static ObjectMeta metadata(ObjectMeta given, PodSettings settings) {
        ObjectMeta metadata = given == null ? new ObjectMeta() : given;
        return new ObjectMetaBuilder(metadata)
                .withLabels(merged(metadata.getLabels(), settings.labels()))
                .withAnnotations(merged(metadata.getAnnotations(), settings.annotations()))
                .build();
    }

    private static Map<String, String> merged(Map<String, String> first, Map<String, String> second) {
        Map<String, String> merged = new TreeMap<>(first == null ? Map.of() : first);
        merged.putAll(second);
        return merged;
    }

    private static void container(PodSettings settings, Container container) {
        List<EnvVar> env = new ArrayList<>(container.getEnv());
        env.addAll(settings.env());
        container.setEnv(env);
        List<EnvFromSource> from = new ArrayList<>(container.getEnvFrom());
        from.addAll(settings.envFrom());
        container.setEnvFrom(from);
        settings.pullPolicy().ifPresent(container::setImagePullPolicy);
        if (!settings.accelerators().isEmpty()) {
            Map<String, Quantity> devices = new LinkedHashMap<>();
            settings.accelerators()
                    .forEach(one -> devices.put(one.resource(), new Quantity(Integer.toString(one.count()))));
            container.setResources((container.getResources() == null
                            ? new ResourceRequirementsBuilder()
                            : new ResourceRequirementsBuilder(container.getResources()))
                    .addToRequests(devices)
                    .addToLimits(devices)
                    .build());
        }
    }

    private static void mount(PodTemplateSpec pod, PodSettings.MountedVolume mounted) {
        if (pod.getSpec().getVolumes().stream().noneMatch(mounted.volume()::equals)) {
            PodAdditions.volume(pod, mounted.volume());
        }
        PodAdditions.mount(pod.getSpec().getContainers().get(0), mounted.mount());
    }

    /** Returns the options that concern objects other than pods, by name. */
    static Map<String, String> besidePods(PodOptions options) {
        Map<String, String> beside = new LinkedHashMap<>();
        options.queue().ifPresent(queue -> beside.put("queue", queue));
        options.gang().ifPresent(gang -> beside.put("gang", gang.toString()));
        if (!options.priorityClasses().isEmpty()) {
            beside.put("priorityClass", options.priorityClasses().toString());
        }
        options.tensorBoard().ifPresent(board -> beside.put("tensorBoard", board.toString()));
        options.tfImage().ifPresent(image -> beside.put("tfImage", image));
        options.sshKeys().ifPresent(keys -> beside.put("sshKeys", keys.toString()));
        if (options.kubexec()) {
            beside.put("kubexec", "true");
        }
        options.owner()
                .map(Owner::reference)
                .ifPresent(owner -> beside.put("owner", owner.getKind() + " " + owner.getName()));
        Map<String, PodSettings> scopes = new LinkedHashMap<>();
        scopes.put("", options.all());
        options.roles().forEach((role, settings) -> scopes.put(role + ".", settings));
        scopes.forEach((prefix, settings) -> {
            if (!settings.apiRules().isEmpty()) {
                beside.put(
                        prefix + "apiAccess",
                        String.join(
                                ", ",
                                settings.apiRules().stream()
                                        .map(rule -> String.join(",", rule.getVerbs()) + " "
                                                + String.join(",", rule.getResources()))
                                        .toList()));
            }
        });
        return beside;
    }
}
