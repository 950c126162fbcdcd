package dev.edl.notebook;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.YamlStyle;
import dev.edl.internal.text.YamlText;
import dev.edl.k8s.preflight.PreflightReport;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.RenderException;
import dev.edl.spec.SensitiveArguments;
import dev.edl.spec.SensitiveEnv;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Kubernetes objects as YAML in HTML, and preflight reports. Needs module {@code edl-k8s}. Secrets are masked, because
 * a notebook stores its output: the data of Secrets, and variables and arguments with sensitive names.
 */
public final class KubernetesHtml {
    private static final Set<String> DATA = Set.of("data", "stringData");
    private static final Set<String> WORDS = Set.of("command", "args");

    private KubernetesHtml() {}

    /** Returns all objects in the order in which they can be applied; if they cannot be rendered, the reason. */
    public static String of(Manifests manifests) {
        List<HasMetadata> objects;
        try {
            objects = manifests.objects();
        } catch (RenderException refused) {
            return Html.pre(manifests.toString()).toString();
        }
        return Html.of(
                        Html.title(objects.size() + (objects.size() == 1 ? " object" : " objects")),
                        Html.pre(objects.stream().map(KubernetesHtml::yaml).collect(Collectors.joining())))
                .toString();
    }

    /** Returns the YAML of one object. */
    public static String of(HasMetadata object) {
        return Html.pre(yaml(object)).toString();
    }

    /** Returns a pod template, such as that of a replica. */
    public static String of(PodTemplateSpec pod) {
        return Html.pre(yaml(pod)).toString();
    }

    /** Returns the problems that would stop a job, their causes and their fixes. */
    public static String of(PreflightReport report) {
        return Html.of(
                        Html.line(report.toString().lines().findFirst().orElseThrow()),
                        Html.table(
                                List.of("", "where", "what", "why", "fix"),
                                report.problems().stream()
                                        .map(problem -> List.of(
                                                problem.severity().toString(),
                                                problem.where(),
                                                problem.what(),
                                                problem.why(),
                                                problem.fix().toString()))
                                        .toList()))
                .toString();
    }

    private static String yaml(Object object) {
        Map<?, ?> tree = Serialization.unmarshal(Serialization.asJson(object), Map.class);
        boolean secret = "Secret".equals(tree.get("kind"));
        Map<String, Object> shown = new LinkedHashMap<>();
        tree.forEach((key, value) -> shown.put(
                key.toString(),
                secret && DATA.contains(key.toString()) ? hidden(value) : shown(key.toString(), value)));
        return "---\n" + YamlText.print(DataNode.Mapping.of(shown), YamlStyle.MANIFEST);
    }

    private static Object hidden(Object data) {
        if (!(data instanceof Map<?, ?> map)) {
            return SensitiveEnv.MASK;
        }
        Map<String, Object> hidden = new LinkedHashMap<>();
        map.keySet().forEach(key -> hidden.put(key.toString(), SensitiveEnv.MASK));
        return hidden;
    }

    /**
     * Returns a node of the object's tree, with secrets masked.
     *
     * @param key key of the node, or of the list that contains it
     */
    private static Object shown(String key, Object node) {
        if (node instanceof Map<?, ?> map) {
            Map<String, Object> shown = new LinkedHashMap<>();
            map.forEach((name, value) -> shown.put(name.toString(), shown(name.toString(), value)));
            if (map.get("name") instanceof String name && map.get("value") instanceof String value) {
                shown.put("value", SensitiveEnv.shown(name, value));
            }
            return shown;
        }
        if (node instanceof List<?> list) {
            return WORDS.contains(key)
                    ? SensitiveArguments.shown(
                            list.stream().map(Object::toString).toList())
                    : list.stream().map(item -> shown(key, item)).toList();
        }
        return node;
    }
}
