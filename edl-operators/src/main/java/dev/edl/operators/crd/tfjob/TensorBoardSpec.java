package dev.edl.operators.crd.tfjob;

import dev.edl.k8s.render.TensorBoard;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.operators.crd.internal.KubernetesModelConversion;
import dev.edl.operators.crd.internal.OrderedMaps;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** TensorBoard settings of a TfJob. */
final class TensorBoardSpec {
    private static final List<String> KEYS = List.of("logDir", "volumes", "volumeMounts", "serviceType");

    private TensorBoardSpec() {}

    static Map<String, Object> write(TensorBoard board) {
        Map<String, Object> written = OrderedMaps.of("logDir", board.logDir());
        if (!board.podMounts().isEmpty()) {
            written.put("volumes", KubernetesModelConversion.plain(board.podVolumes()));
            written.put("volumeMounts", KubernetesModelConversion.plain(board.podMounts()));
        }
        written.put("serviceType", board.serviceType());
        return written;
    }

    static Optional<TensorBoard> read(CustomObjectFieldReader spec) {
        return spec.fields("tensorboard", KEYS).flatMap(TensorBoardSpec::board);
    }

    private static Optional<TensorBoard> board(CustomObjectFieldReader board) {
        Optional<String> logDir = board.filled("logDir");
        if (logDir.isEmpty()) {
            board.report().mistake(board.path() + ": tbReplicaSpec.LogDir must be specified");
            return Optional.empty();
        }
        Map<String, Volume> volumes = new LinkedHashMap<>();
        Map<String, CustomObjectFieldReader> given = new LinkedHashMap<>();
        for (CustomObjectFieldReader volume : board.items("volumes")) {
            volume.model(Volume.class).ifPresent(model -> volumes.put(model.getName(), model));
            volume.filled("name").ifPresent(name -> given.put(name, volume));
        }
        try {
            TensorBoard read = TensorBoard.of(logDir.get())
                    .serviceType(board.filled("serviceType").orElse("ClusterIP"));
            Set<String> mounted = new HashSet<>();
            for (CustomObjectFieldReader mount : board.items("volumeMounts")) {
                Optional<VolumeMount> model = mount.model(VolumeMount.class);
                Volume volume = model.map(one -> volumes.get(one.getName())).orElse(null);
                if (volume == null) {
                    mount.wrong("name", "must be one of the volumes, which are " + given.keySet());
                    continue;
                }
                mounted.add(volume.getName());
                mount.loseUnless("readOnly", false, "TensorBoard's volumes are mounted as they are");
                mount.loseAllBut(
                        List.of("name", "mountPath", "readOnly"), "TensorBoard's volumes are mounted as they are");
                read = read.volume(volume, mount.filled("mountPath").orElse(""));
            }
            given.forEach((name, volume) -> {
                if (!mounted.contains(name)) {
                    volume.report().loss(volume.path(), volume.content(), "it is not mounted");
                }
            });
            return Optional.of(read);
        } catch (IllegalArgumentException e) {
            board.report().mistake(board.path() + ": " + e.getMessage());
            return Optional.empty();
        }
    }
}
