package dev.edl.testkit.k8s;

import io.fabric8.kubernetes.api.model.Volume;
import java.util.List;

/** Short description of a mounted volume, such as {@code claim files} for the PersistentVolumeClaim {@code files}. */
final class VolumeText {
    private VolumeText() {}

    static String of(List<Volume> volumes, String name) {
        return volumes.stream()
                .filter(volume -> name.equals(volume.getName()))
                .findFirst()
                .map(VolumeText::of)
                .orElse("a volume " + name + " that the pod lacks");
    }

    private static String of(Volume volume) {
        if (volume.getPersistentVolumeClaim() != null) {
            return "claim " + volume.getPersistentVolumeClaim().getClaimName();
        }
        if (volume.getSecret() != null) {
            return "secret " + volume.getSecret().getSecretName();
        }
        if (volume.getConfigMap() != null) {
            return "config map " + volume.getConfigMap().getName();
        }
        if (volume.getHostPath() != null) {
            return "host path " + volume.getHostPath().getPath();
        }
        if (volume.getImage() != null) {
            return "image " + volume.getImage().getReference();
        }
        return volume.getEmptyDir() != null ? "empty directory" : "volume " + volume.getName();
    }
}
