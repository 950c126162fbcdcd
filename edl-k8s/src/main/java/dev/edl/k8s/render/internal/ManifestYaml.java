package dev.edl.k8s.render.internal;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.YamlStyle;
import dev.edl.internal.text.YamlText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Objects as text; the one class that asks fabric8's client for anything. */
public final class ManifestYaml {
    private ManifestYaml() {}

    /** One document an object, in order; each begins with {@code ---}. */
    public static String of(List<HasMetadata> objects) {
        StringBuilder text = new StringBuilder();
        objects.forEach(object -> text.append(one(object)));
        return text.toString();
    }

    /** One value as a document. */
    public static String one(Object value) {
        // The model's own order of fields, and what it leaves out, stand in its JSON.
        Map<?, ?> tree = Serialization.unmarshal(Serialization.asJson(value), Map.class);
        return "---\n" + YamlText.print(DataNode.Mapping.of(tree), YamlStyle.MANIFEST);
    }

    /** What an object takes where it is stored. */
    static int bytes(Object object) {
        return Serialization.asJson(object).getBytes(StandardCharsets.UTF_8).length;
    }
}
