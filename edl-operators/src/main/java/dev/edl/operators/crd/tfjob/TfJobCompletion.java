package dev.edl.operators.crd.tfjob;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.internal.Completion;
import dev.edl.operators.crd.internal.Ordered;
import java.util.List;
import java.util.Map;

/** What the operator fills in, at the end of 2017. */
final class TfJobCompletion {
    private TfJobCompletion() {}

    static CustomObject of(CustomObject resource, String runtimeId, String tfImage) {
        Object named = resource.fields().get("spec") instanceof Map<?, ?> spec ? spec.get("tfImage") : null;
        String image = named instanceof String text && !text.isEmpty() ? text : tfImage;
        return Completion.of(resource, spec -> spec(spec, runtimeId, image), replica -> replica(replica, image));
    }

    private static void spec(Map<String, Object> spec, String runtimeId, String tfImage) {
        Completion.fill(spec, "RuntimeId", runtimeId);
        Completion.fill(spec, "tfImage", tfImage);
        Completion.fill(
                spec, "terminationPolicy", Ordered.of("chief", Ordered.of("replicaName", "MASTER", "replicaIndex", 0)));
    }

    private static void replica(Map<String, Object> replica, String tfImage) {
        Completion.fill(replica, "replicas", 1);
        Completion.fill(replica, "tfPort", 2222);
        Completion.fill(replica, "tfReplicaType", "MASTER");
        boolean own = "PS".equals(replica.get("tfReplicaType")) && replica.get("template") == null;
        if (own) {
            replica.put("template", server(tfImage));
            replica.put("IsDefaultPS", true);
        }
        Completion.fill(replica, "IsDefaultPS", false);
    }

    private static Map<String, Object> server(String tfImage) {
        return Ordered.of(
                "spec",
                Ordered.of(
                        "containers",
                        List.of(Ordered.of(
                                "image",
                                tfImage,
                                "name",
                                "tensorflow",
                                "volumeMounts",
                                List.of(Ordered.of("mountPath", "/ps-server", "name", "ps-config-volume")))),
                        "restartPolicy",
                        "OnFailure"));
    }
}
