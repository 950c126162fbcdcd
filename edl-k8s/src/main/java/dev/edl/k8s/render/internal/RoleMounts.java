package dev.edl.k8s.render.internal;

import dev.edl.spec.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Volumes and mounts of a role. A source that is mounted several times is one volume with several mounts, as in
 * ElasticDL.
 */
public final class RoleMounts {
    private final Map<List<String>, io.fabric8.kubernetes.api.model.Volume> volumes = new LinkedHashMap<>();
    private final List<VolumeMount> mounts = new ArrayList<>();

    public RoleMounts(List<Volume> asked) {
        asked.forEach(this::add);
    }

    public List<io.fabric8.kubernetes.api.model.Volume> volumes() {
        return List.copyOf(volumes.values());
    }

    public List<VolumeMount> mounts() {
        return List.copyOf(mounts);
    }

    /** Adds a volume from the options to the job's volumes. */
    public void add(io.fabric8.kubernetes.api.model.Volume volume, VolumeMount mount) {
        volumes.putIfAbsent(List.of(volume.getName()), volume);
        mounts.add(mount);
    }

    private void add(Volume asked) {
        String name =
                volumes.computeIfAbsent(source(asked), source -> volume(asked)).getName();
        VolumeMountBuilder mount = new VolumeMountBuilder().withName(name).withMountPath(asked.mountPath());
        asked.subPath().ifPresent(mount::withSubPath);
        if (asked.readOnly()) {
            mount.withReadOnly(true);
        }
        mounts.add(mount.build());
    }

    private static List<String> source(Volume asked) {
        return List.of(
                asked.claimName().orElse(""),
                asked.hostPath().orElse(""),
                asked.image().orElse(""),
                asked.type().orElse(""));
    }

    private io.fabric8.kubernetes.api.model.Volume volume(Volume asked) {
        VolumeBuilder volume = new VolumeBuilder().withName("volume-" + volumes.size());
        asked.claimName()
                .ifPresent(claim -> volume.withNewPersistentVolumeClaim()
                        .withClaimName(claim)
                        .endPersistentVolumeClaim());
        asked.hostPath().ifPresent(path -> {
            var source = volume.withNewHostPath().withPath(path);
            asked.type().ifPresent(source::withType);
            source.endHostPath();
        });
        asked.image()
                .ifPresent(image -> volume.withNewImage().withReference(image).endImage());
        return volume.build();
    }
}
