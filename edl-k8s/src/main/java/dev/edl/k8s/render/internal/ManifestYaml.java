package dev.edl.k8s.render.internal;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.YamlStyle;
import dev.edl.internal.text.YamlText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Serializes objects; the only class here that uses fabric8's serialization. */
public final class ManifestYaml {
    private ManifestYaml() {}

    /** Returns one document per object, in order; each begins with {@code ---}. */
    public static String of(List<HasMetadata> objects) {
        StringBuilder text = new StringBuilder();
        objects.forEach(object -> text.append(one(object)));
        return text.toString();
    }

    /** Returns one value as a document. */
    public static String one(Object value) {
        // The model's field order and omissions are in its JSON.
        Map<?, ?> tree = Serialization.unmarshal(Serialization.asJson(value), Map.class);
        return "---\n" + YamlText.print(DataNode.Mapping.of(tree), YamlStyle.MANIFEST);
    }

    /** Returns the number of bytes of an object as the API server stores it. */
    static int bytes(Object object) {
        return Serialization.asJson(object).getBytes(StandardCharsets.UTF_8).length;
    }
}
