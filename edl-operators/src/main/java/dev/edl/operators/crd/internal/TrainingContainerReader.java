package dev.edl.operators.crd.internal;

import dev.edl.spec.RoleTemplate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the training container of a pod template, as settings of a job's role. */
final class TrainingContainerReader {
    private static final Set<String> HANDLED =
            Set.of("name", "image", "command", "args", "env", "ports", "resources", "volumeMounts");

    private final PodTemplateConventions conventions;
    private final CustomObjectFieldReader container;
    private final RoleTemplate.Builder role;
    private final UnmappedPodFields unmapped;
    private final Set<String> variables = new LinkedHashSet<>();

    TrainingContainerReader(
            PodTemplateConventions conventions,
            CustomObjectFieldReader container,
            RoleTemplate.Builder role,
            UnmappedPodFields unmapped) {
        this.conventions = conventions;
        this.container = container;
        this.role = role;
        this.unmapped = unmapped;
    }

    void read(VolumeReader volumes) {
        container.filled("image").ifPresent(role::image);
        role.env(env());
        role.command(words("command"));
        role.args(words("args"));
        ports();
        ResourcesReader.read(container, role);
        role.volumes(volumes.mounted(container, unmapped));
        container.keys().stream()
                .filter(key -> !HANDLED.contains(key) && !CustomObjectFieldReader.saysNothing(container.raw(key)))
                .forEach(key -> unmapped.container.put(key, container.content().get(key)));
    }

    /**
     * Returns the strings of {@code command} or {@code args}. A job does not expand variable references. A string with
     * a reference is therefore also kept in the pod options, where Kubernetes expands it.
     */
    private List<String> words(String key) {
        List<String> words = new ArrayList<>();
        for (String written : container.words(key)) {
            String text = VariableReferences.text(written);
            words.add(text);
            if (VariableReferences.in(written, this::isVariable)) {
                unmapped.words.put(VariableReferences.literal(text), written);
            }
        }
        return words;
    }

    /**
     * Returns whether the container may have a variable of this name. If it takes variables from a whole ConfigMap or
     * Secret, any name may exist; each Service of the namespace adds some too.
     */
    private boolean isVariable(String name) {
        return variables.contains(name)
                || conventions.variables().contains(name)
                || container.has("envFrom")
                || name.contains("_SERVICE_");
    }

    /**
     * Returns whether the variable is defined before the value that refers to it, since Kubernetes expands only
     * references to earlier variables. Operators append their variables after the template's, so references to these
     * stay literal.
     */
    private boolean isBefore(String name, Set<String> earlier) {
        return earlier.contains(name)
                || (container.has("envFrom") && !conventions.variables().contains(name) && !variables.contains(name))
                || name.contains("_SERVICE_");
    }

    private Map<String, String> env() {
        Map<String, CustomObjectFieldReader> last = new LinkedHashMap<>();
        for (CustomObjectFieldReader entry : container.items("env")) {
            String name = entry.filled("name").orElse("");
            if (name.isEmpty()) {
                entry.wrong("name", "is missing; for example name: BATCH_SIZE");
                continue;
            }
            CustomObjectFieldReader before = last.put(name, entry);
            if (before != null) {
                lose(before, "it is set twice; the last value applies");
            }
        }
        variables.addAll(last.keySet());
        Map<String, String> env = new LinkedHashMap<>();
        List<Object> references = new ArrayList<>();
        Set<String> earlier = new HashSet<>();
        last.forEach((name, entry) -> {
            String value = entry.text("value").orElse("");
            if (conventions.variables().contains(name)) {
                lose(entry, OperatorEnv.WHY);
            } else if (entry.has("valueFrom")) {
                references.add(entry.content());
            } else if (VariableReferences.in(value, one -> isBefore(one, earlier))) {
                Map<String, Object> kept = new LinkedHashMap<>(entry.content());
                kept.put("value", VariableReferences.only(value, one -> isBefore(one, earlier)));
                references.add(kept);
                if (VariableReferences.in(
                        value,
                        one -> earlier.contains(one) && conventions.variables().contains(one))) {
                    lose(entry, "it refers to an earlier value of a variable that the job sets again");
                }
            } else {
                env.put(name, VariableReferences.text(value));
            }
            earlier.add(name);
        });
        if (!references.isEmpty()) {
            unmapped.container.put("env", references);
        }
        return env;
    }

    private static void lose(CustomObjectFieldReader entry, String why) {
        entry.report().loss(entry.path(), entry.content(), why);
    }

    private void ports() {
        List<Object> others = new ArrayList<>();
        for (CustomObjectFieldReader port : container.items("ports")) {
            if (conventions
                    .portName()
                    .filter(name -> name.equals(port.raw("name")))
                    .isPresent()) {
                port.port("containerPort", role::port);
                port.loseUnless("protocol", "TCP", "a job's ports are TCP");
                port.lose("a job's ports are those of its replicas", "hostPort", "hostIP");
            } else {
                others.add(port.content());
            }
        }
        if (!others.isEmpty()) {
            unmapped.container.put("ports", others);
        }
    }
}
