package dev.edl.k8s.render.internal;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.List;

/** Additions to a composed pod, such as volumes and containers. */
public final class PodAdditions {
    private PodAdditions() {}

    /** Adds a volume, mounted in the main container, the first one. */
    public static void mount(PodTemplateSpec pod, Volume volume, VolumeMount mount) {
        volume(pod, volume);
        mount(pod.getSpec().getContainers().get(0), mount);
    }

    public static void volume(PodTemplateSpec pod, Volume volume) {
        List<Volume> volumes = new ArrayList<>(pod.getSpec().getVolumes());
        volumes.add(volume);
        pod.getSpec().setVolumes(volumes);
    }

    public static void mount(Container container, VolumeMount mount) {
        List<VolumeMount> mounts = new ArrayList<>(container.getVolumeMounts());
        mounts.add(mount);
        container.setVolumeMounts(mounts);
    }
}
