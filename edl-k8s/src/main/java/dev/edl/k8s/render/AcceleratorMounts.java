package dev.edl.k8s.render;

import dev.edl.k8s.render.AcceleratorConfig.Entry;
import dev.edl.k8s.render.AcceleratorConfig.HostVolume;
import dev.edl.k8s.render.AcceleratorConfig.Variable;
import dev.edl.k8s.render.internal.DollarEscape;
import dev.edl.k8s.render.internal.EnvOrder;
import dev.edl.k8s.render.internal.ReplicaIdentity;
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

/**
 * Adds the paths and variables of an {@link AcceleratorConfig} to the main container of a pod. Entries of
 * {@link #OLD_GPU} also apply to {@link #GPU}, unless it has separate entries: both names stand for the same devices.
 */
final class AcceleratorMounts {
    /** Resource name of NVIDIA's devices until Kubernetes 1.9. */
    private static final String OLD_GPU = "alpha.kubernetes.io/nvidia-gpu";

    private static final String GPU = "nvidia.com/gpu";

    private AcceleratorMounts() {}

    static void add(AcceleratorConfig config, PodTemplateSpec pod) {
        Container own = pod.getSpec().getContainers().get(0);
        config.entries().forEach((resource, entry) -> {
            boolean renamed = resource.equals(OLD_GPU) && !config.entries().containsKey(GPU);
            if (asksFor(own, resource) || (renamed && asksFor(own, GPU))) {
                add(entry, own, pod);
            }
        });
    }

    private static boolean asksFor(Container container, String resource) {
        return container.getResources() != null
                && (container.getResources().getLimits().containsKey(resource)
                        || container.getResources().getRequests().containsKey(resource));
    }

    private static void add(Entry entry, Container container, PodTemplateSpec pod) {
        List<Volume> volumes = new ArrayList<>(pod.getSpec().getVolumes());
        List<VolumeMount> mounts = new ArrayList<>(container.getVolumeMounts());
        for (HostVolume asked : entry.volumes()) {
            Volume volume = new VolumeBuilder()
                    .withName(asked.name())
                    .withHostPath(new HostPathVolumeSource(asked.hostPath(), null))
                    .build();
            VolumeMount mount = new VolumeMountBuilder()
                    .withName(asked.name())
                    .withMountPath(asked.mountPath())
                    .build();
            if (!volumes.contains(volume)) {
                volumes.add(volume);
            }
            if (!mounts.contains(mount)) {
                mounts.add(mount);
            }
        }
        List<EnvVar> env = new ArrayList<>(container.getEnv());
        for (Variable variable : entry.env()) {
            if (env.stream().noneMatch(v -> v.getName().equals(variable.name()))) {
                env.add(
                        EnvOrder.beforeFramework(env),
                        ReplicaIdentity.variable(variable.name(), DollarEscape.of(variable.value())));
            }
        }
        pod.getSpec().setVolumes(volumes);
        container.setVolumeMounts(mounts);
        container.setEnv(env);
    }
}
