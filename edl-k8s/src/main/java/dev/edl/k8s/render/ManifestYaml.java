package dev.edl.k8s.render;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Objects as text; the one class that asks fabric8's client for anything. */
final class ManifestYaml {
    private ManifestYaml() {}

    /** One document an object, in order; each begins with {@code ---}. */
    static String of(List<HasMetadata> objects) {
        StringBuilder text = new StringBuilder();
        objects.forEach(object -> text.append(one(object)));
        return text.toString();
    }

    /** One value as a document. */
    static String one(Object value) {
        return Serialization.asYaml(value);
    }

    /** What an object takes where it is stored. */
    static int bytes(Object object) {
        return Serialization.asJson(object).getBytes(StandardCharsets.UTF_8).length;
    }
}
