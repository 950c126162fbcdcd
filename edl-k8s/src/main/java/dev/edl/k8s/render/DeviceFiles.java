package dev.edl.k8s.render;

import dev.edl.k8s.render.AcceleratorConfig.Entry;
import dev.edl.k8s.render.AcceleratorConfig.HostVolume;
import dev.edl.k8s.render.AcceleratorConfig.Variable;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HostPathVolumeSource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Adds what an {@link AcceleratorConfig} says to the framework's container of a pod. */
final class DeviceFiles {
    private static final Set<String> CONTAINERS = Set.of("tensorflow", "mxnet");

    private DeviceFiles() {}

    static void add(AcceleratorConfig config, PodTemplateSpec pod) {
        pod.getSpec().getContainers().stream()
                .filter(container -> CONTAINERS.contains(container.getName()))
                .findFirst()
                .ifPresent(container -> config.entries().forEach((resource, entry) -> {
                    if (asksFor(container, resource)) {
                        add(entry, container, pod);
                    }
                }));
    }

    private static boolean asksFor(Container container, String resource) {
        return container.getResources() != null
                && (container.getResources().getLimits().containsKey(resource)
                        || container.getResources().getRequests().containsKey(resource));
    }

    private static void add(Entry entry, Container container, PodTemplateSpec pod) {
        List<Volume> volumes = new ArrayList<>(pod.getSpec().getVolumes());
        List<VolumeMount> mounts = new ArrayList<>(container.getVolumeMounts());
        for (HostVolume volume : entry.volumes()) {
            if (volumes.stream().noneMatch(v -> v.getName().equals(volume.name()))) {
                volumes.add(new VolumeBuilder()
                        .withName(volume.name())
                        .withHostPath(new HostPathVolumeSource(volume.hostPath(), null))
                        .build());
                mounts.add(new VolumeMountBuilder()
                        .withName(volume.name())
                        .withMountPath(volume.mountPath())
                        .build());
            }
        }
        List<EnvVar> env = new ArrayList<>(container.getEnv());
        for (Variable variable : entry.env()) {
            if (env.stream().noneMatch(v -> v.getName().equals(variable.name()))) {
                env.add(
                        EnvOrder.beforeFramework(env),
                        Identity.variable(variable.name(), Literal.of(variable.value())));
            }
        }
        pod.getSpec().setVolumes(volumes);
        container.setVolumeMounts(mounts);
        container.setEnv(env);
    }
}
