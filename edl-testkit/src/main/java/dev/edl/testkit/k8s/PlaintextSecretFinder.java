package dev.edl.testkit.k8s;

import dev.edl.spec.SensitiveEnv;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds environment variables of Kubernetes objects that hold a secret in plain text, in containers at any depth. */
final class PlaintextSecretFinder {
    private PlaintextSecretFinder() {}

    /**
     * Returns a path such as {@code spec.containers.env.AWS_SECRET_ACCESS_KEY} for each variable that holds a secret in
     * plain text.
     */
    static List<String> in(Object object) {
        List<String> found = new ArrayList<>();
        search("", Serialization.unmarshal(Serialization.asJson(object), Object.class), found);
        return found;
    }

    private static void search(String path, Object node, List<String> found) {
        if (node instanceof Map<?, ?> map) {
            if (path.endsWith(".env")
                    && map.get("name") instanceof String name
                    && map.get("value") instanceof String value
                    && SensitiveEnv.isSensitive(name, value)) {
                found.add(path.substring(1) + "." + name);
            }
            map.forEach((key, value) -> search(path + "." + key, value, found));
        } else if (node instanceof List<?> list) {
            list.forEach(item -> search(path, item, found));
        }
    }
}
