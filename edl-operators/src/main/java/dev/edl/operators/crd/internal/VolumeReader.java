package dev.edl.operators.crd.internal;

import dev.edl.spec.Volume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the volumes of a pod by their mounts: a job can mount claims and host paths. Other volumes, and those that
 * other containers mount, become pod options. Such a volume is renamed if EDL could generate its name.
 */
final class VolumeReader {
    private static final Set<String> MOUNT = Set.of("name", "mountPath", "subPath", "readOnly");
    private static final Set<String> CLAIM = Set.of("claimName", "readOnly");
    private static final Set<String> IMAGE = Set.of("reference");

    private final Map<String, CustomObjectFieldReader> volumes = new LinkedHashMap<>();
    private final Set<String> said = new HashSet<>();

    VolumeReader(CustomObjectFieldReader spec) {
        for (CustomObjectFieldReader volume : spec.items("volumes")) {
            volume.filled("name").ifPresent(name -> volumes.put(name, volume));
        }
    }

    List<Volume> mounted(CustomObjectFieldReader container, UnmappedPodFields unmapped) {
        List<Volume> result = new ArrayList<>();
        List<Object> others = new ArrayList<>();
        for (CustomObjectFieldReader mount : container.items("volumeMounts")) {
            String name = mount.filled("name").orElse("");
            CustomObjectFieldReader volume = volumes.get(name);
            if (volume == null) {
                mount.wrong(
                        "name",
                        "must be one of the pod's volumes, was \"" + name + "\"; "
                                + (volumes.isEmpty()
                                        ? "the pod has none"
                                        : "it has " + String.join(", ", volumes.keySet())));
                continue;
            }
            Optional<Volume> read = read(mount, volume);
            read.ifPresent(result::add);
            if (read.isPresent()) {
                said.add(name);
            } else {
                others.add(renamed(mount.content()));
            }
        }
        if (!others.isEmpty()) {
            unmapped.container.put("volumeMounts", others);
        }
        return result;
    }

    private static Optional<Volume> read(CustomObjectFieldReader mount, CustomObjectFieldReader volume) {
        if (!MOUNT.containsAll(mount.keys())) {
            return Optional.empty();
        }
        String path = mount.filled("mountPath").orElse("");
        boolean readOnly = mount.flag("readOnly");
        Optional<CustomObjectFieldReader> claim =
                volume.map("persistentVolumeClaim").filter(one -> CLAIM.containsAll(one.keys()));
        Optional<CustomObjectFieldReader> host = volume.map("hostPath");
        Optional<CustomObjectFieldReader> image = volume.map("image").filter(one -> IMAGE.containsAll(one.keys()));
        try {
            Volume read;
            if (claim.isPresent()) {
                read = Volume.claim(claim.get().filled("claimName").orElse(""), path);
                readOnly |= claim.get().flag("readOnly");
            } else if (host.isPresent()) {
                read = Volume.hostPath(host.get().filled("path").orElse(""), path);
                Optional<String> type = host.get().filled("type");
                read = type.isPresent() ? read.type(type.get()) : read;
            } else if (image.isPresent()) {
                read = Volume.image(image.get().filled("reference").orElse(""), path);
                readOnly = true;
            } else {
                return Optional.empty();
            }
            Optional<String> subPath = mount.filled("subPath");
            read = subPath.isPresent() ? read.subPath(subPath.get()) : read;
            return Optional.of(read.readOnly(readOnly));
        } catch (IllegalArgumentException e) {
            mount.report().mistake(mount.path() + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Returns the volumes that a job cannot express, or that another container mounts. */
    List<Object> rest(List<CustomObjectFieldReader> otherContainers, UnmappedPodFields unmapped) {
        Set<String> needed = new HashSet<>();
        otherContainers.forEach(container -> container
                .items("volumeMounts")
                .forEach(mount -> mount.filled("name").ifPresent(needed::add)));
        names(unmapped.container.get("volumeMounts"), needed);
        List<Object> others = new ArrayList<>();
        volumes.forEach((name, volume) -> {
            if (!said.contains(name) || needed.contains(name) || needed.contains(renamed(name))) {
                others.add(renamed(volume.content()));
            }
        });
        return others;
    }

    private static void names(@org.jspecify.annotations.Nullable Object mounts, Set<String> into) {
        if (mounts instanceof List<?> list) {
            for (Object mount : list) {
                if (mount instanceof Map<?, ?> map && map.get("name") instanceof String name) {
                    into.add(name);
                }
            }
        }
    }

    /** Returns a copy of a container whose mounts use the new names of renamed volumes. */
    static Map<String, Object> container(CustomObjectFieldReader container) {
        Map<String, Object> result = new LinkedHashMap<>(container.content());
        List<Object> mounts = new ArrayList<>();
        container.items("volumeMounts").forEach(mount -> mounts.add(renamed(mount.content())));
        result.computeIfPresent("volumeMounts", (key, old) -> mounts);
        return result;
    }

    private static Map<String, Object> renamed(Map<String, Object> named) {
        Map<String, Object> result = new LinkedHashMap<>(named);
        result.computeIfPresent("name", (key, name) -> renamed(String.valueOf(name)));
        return result;
    }

    private static String renamed(String name) {
        return name.matches("volume-\\d+") ? "given-" + name : name;
    }
}
