package dev.edl.operators.crd.tfjob;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.internal.OrderedMaps;
import dev.edl.operators.crd.internal.SpecDefaulting;
import java.util.List;
import java.util.Map;

/** Sets the defaults that the TfJob operator, as of the end of 2017, wrote into a resource's spec. */
final class TfJobDefaulting {
    private TfJobDefaulting() {}

    static CustomObject of(CustomObject resource, String runtimeId, String tfImage) {
        Object named = resource.fields().get("spec") instanceof Map<?, ?> spec ? spec.get("tfImage") : null;
        String image = named instanceof String text && !text.isEmpty() ? text : tfImage;
        return SpecDefaulting.of(resource, spec -> spec(spec, runtimeId, image), replica -> replica(replica, image));
    }

    private static void spec(Map<String, Object> spec, String runtimeId, String tfImage) {
        SpecDefaulting.fill(spec, "RuntimeId", runtimeId);
        SpecDefaulting.fill(spec, "tfImage", tfImage);
        SpecDefaulting.fill(
                spec,
                "terminationPolicy",
                OrderedMaps.of("chief", OrderedMaps.of("replicaName", "MASTER", "replicaIndex", 0)));
    }

    private static void replica(Map<String, Object> replica, String tfImage) {
        SpecDefaulting.fill(replica, "replicas", 1);
        SpecDefaulting.fill(replica, "tfPort", 2222);
        SpecDefaulting.fill(replica, "tfReplicaType", "MASTER");
        boolean own = "PS".equals(replica.get("tfReplicaType")) && replica.get("template") == null;
        if (own) {
            replica.put("template", server(tfImage));
            replica.put("IsDefaultPS", true);
        }
        SpecDefaulting.fill(replica, "IsDefaultPS", false);
    }

    private static Map<String, Object> server(String tfImage) {
        return OrderedMaps.of(
                "spec",
                OrderedMaps.of(
                        "containers",
                        List.of(OrderedMaps.of(
                                "image",
                                tfImage,
                                "name",
                                "tensorflow",
                                "volumeMounts",
                                List.of(OrderedMaps.of("mountPath", "/ps-server", "name", "ps-config-volume")))),
                        "restartPolicy",
                        "OnFailure"));
    }
}
