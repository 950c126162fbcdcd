package dev.edl.operators.crd.internal;

import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodSecurity;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a pod template that a role of a job cannot have. They become pod options, which are merged into the role's
 * pods.
 */
final class UnmappedPodFields implements UnaryOperator<PodTemplateSpec> {
    /**
     * Fields of the pod spec. When merged, lists are appended to the pod's lists, and other values replace the pod's
     * values.
     */
    final Map<String, Object> pod = new LinkedHashMap<>();

    /** Fields of the container that trains, which are merged as those of {@link #pod} are. */
    final Map<String, Object> container = new LinkedHashMap<>();

    /** Words of the command and arguments that reference a variable, by the literal text that the job has instead. */
    final Map<String, String> words = new LinkedHashMap<>();

    final Map<String, String> labels = new TreeMap<>();
    final Map<String, String> annotations = new TreeMap<>();

    /** Adds these fields to the pod options of a role. */
    void say(PodOptions.Role role, CustomObjectFieldReader template) {
        labels.forEach((key, value) -> said(() -> role.label(key, value), template));
        annotations.forEach((key, value) -> said(() -> role.annotation(key, value), template));
        if (pod.remove("serviceAccountName") instanceof String account) {
            // EDL gives no token to pods without an account of their own.
            said(() -> role.serviceAccount(account), template);
        }
        if (pod.containsKey("securityContext") || container.containsKey("securityContext")) {
            role.security(PodSecurity.AS_GIVEN);
        }
        if (!pod.isEmpty() || !container.isEmpty() || !words.isEmpty()) {
            role.pod(this);
        }
    }

    boolean isEmpty() {
        return pod.isEmpty() && container.isEmpty() && words.isEmpty() && labels.isEmpty() && annotations.isEmpty();
    }

    private static void said(Runnable option, CustomObjectFieldReader template) {
        try {
            option.run();
        } catch (IllegalArgumentException e) {
            template.report().mistake(template.path() + ": " + e.getMessage());
        }
    }

    @Override
    public PodTemplateSpec apply(PodTemplateSpec made) {
        Map<String, Object> template = KubernetesModelConversion.plain(made);
        if (template.get("spec") instanceof Map<?, ?> spec
                && spec.get("containers") instanceof List<?> containers
                && containers.get(0) instanceof Map<?, ?> first) {
            Map<String, Object> trains = over(first, container);
            words(trains, "command");
            words(trains, "args");
            List<Object> all = new ArrayList<>(containers);
            all.set(0, trains);
            Map<String, Object> changed = new LinkedHashMap<>();
            spec.forEach((key, value) -> changed.put(String.valueOf(key), value));
            changed.put("containers", all);
            template.put("spec", over(changed, pod));
        }
        return KubernetesModelConversion.template(template);
    }

    private void words(Map<String, Object> trains, String key) {
        if (trains.get(key) instanceof List<?> list) {
            trains.put(
                    key,
                    list.stream()
                            .map(String::valueOf)
                            .map(word -> words.getOrDefault(word, word))
                            .toList());
        }
    }

    private static Map<String, Object> over(Map<?, ?> made, Map<String, Object> rest) {
        Map<String, Object> result = new LinkedHashMap<>();
        made.forEach((key, value) -> result.put(String.valueOf(key), value));
        rest.forEach((key, value) -> result.put(key, added(result.get(key), value)));
        return result;
    }

    private static Object added(@Nullable Object made, Object rest) {
        if (made instanceof List<?> list && rest instanceof List<?> more) {
            List<Object> all = new ArrayList<>(list);
            all.addAll(more);
            return all;
        }
        return rest;
    }

    /** Returns for example {@code nodeSelector, tolerations, container.workingDir}. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>(pod.keySet());
        container.keySet().forEach(key -> parts.add("container." + key));
        if (!words.isEmpty()) {
            parts.add("variables in the command");
        }
        return String.join(", ", parts);
    }
}
