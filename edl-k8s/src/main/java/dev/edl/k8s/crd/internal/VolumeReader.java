package dev.edl.k8s.crd.internal;

import dev.edl.Volume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the volumes of a pod by their mounts: a job mounts claims and host paths. */
final class VolumeReader {
    private static final List<String> MOUNT =
            List.of("name", "mountPath", "subPath", "subPathExpr", "readOnly", "recursiveReadOnly", "mountPropagation");

    private final Map<String, Fields> volumes = new LinkedHashMap<>();
    private final Set<String> mounted = new HashSet<>();

    VolumeReader(Fields spec) {
        for (Fields volume : spec.anyItems("volumes")) {
            volume.filled("name").ifPresent(name -> volumes.put(name, volume));
        }
    }

    List<Volume> mounted(Fields container) {
        List<Volume> result = new ArrayList<>();
        for (Fields mount : container.items("volumeMounts", MOUNT)) {
            String name = mount.filled("name").orElse("");
            Fields volume = volumes.get(name);
            if (volume == null) {
                mount.wrong("name", "must be one of the pod's volumes, was \"" + name + "\"");
                continue;
            }
            mounted.add(name);
            read(mount, volume).ifPresentOrElse(result::add, () -> {
                mount.report().loss(mount.path(), mount.content(), "its volume cannot be said");
                lose(volume);
            });
        }
        return result;
    }

    private static Optional<Volume> read(Fields mount, Fields volume) {
        String path = mount.filled("mountPath").orElse("");
        boolean[] readOnly = {mount.flag("readOnly")};
        Optional<Fields> claim = volume.fields("persistentVolumeClaim", List.of("claimName", "readOnly"));
        Optional<Fields> host = volume.fields("hostPath", List.of("path", "type"));
        try {
            Volume read;
            if (claim.isPresent()) {
                read = Volume.claim(claim.get().filled("claimName").orElse(""), path);
                readOnly[0] |= claim.get().flag("readOnly");
            } else if (host.isPresent()) {
                read = Volume.hostPath(host.get().filled("path").orElse(""), path);
                Optional<String> type = host.get().filled("type");
                read = type.isPresent() ? read.type(type.get()) : read;
            } else {
                return Optional.empty();
            }
            Optional<String> subPath = mount.filled("subPath");
            read = subPath.isPresent() ? read.subPath(subPath.get()) : read;
            mount.lose("a job's mount has no such setting", "subPathExpr", "recursiveReadOnly", "mountPropagation");
            return Optional.of(read.readOnly(readOnly[0]));
        } catch (IllegalArgumentException e) {
            mount.report().mistake(mount.path() + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    void loseUnmounted() {
        volumes.forEach((name, volume) -> {
            if (mounted.add(name)) {
                lose(volume);
            }
        });
    }

    private static void lose(Fields volume) {
        volume.report()
                .loss(volume.path(), volume.content(), "a job mounts claims and host paths, each where it is named");
    }
}
