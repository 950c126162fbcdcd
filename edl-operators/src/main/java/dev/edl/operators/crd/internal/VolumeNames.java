package dev.edl.operators.crd.internal;

import dev.edl.spec.Volume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Names of a pod's volumes by the volume's source, so that two mounts of the same claim use one volume. */
final class VolumeNames {
    private final Map<Map<String, Object>, String> names = new LinkedHashMap<>();

    VolumeNames(List<Volume> volumes) {
        for (Volume volume : volumes) {
            names.putIfAbsent(source(volume), "volume-" + names.size());
        }
    }

    String of(Volume volume) {
        return names.getOrDefault(source(volume), "");
    }

    List<Map<String, Object>> written() {
        List<Map<String, Object>> written = new ArrayList<>();
        names.forEach((source, name) -> {
            Map<String, Object> volume = OrderedMaps.of("name", name);
            volume.putAll(source);
            written.add(volume);
        });
        return written;
    }

    private static Map<String, Object> source(Volume volume) {
        Map<String, Object> source = new LinkedHashMap<>();
        volume.claimName().ifPresent(claim -> source.put("claimName", claim));
        volume.hostPath().ifPresent(path -> source.put("path", path));
        volume.image().ifPresent(image -> source.put("reference", image));
        volume.type().ifPresent(type -> source.put("type", type));
        String kind = volume.image().isPresent() ? "image" : "hostPath";
        return Map.of(volume.claimName().isPresent() ? "persistentVolumeClaim" : kind, source);
    }
}
