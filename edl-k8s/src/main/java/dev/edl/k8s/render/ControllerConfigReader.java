package dev.edl.k8s.render;

import dev.edl.spec.Nearest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads a {@link ControllerConfig}, and says of everything in it that the operator would not have understood. */
final class ControllerConfigReader {
    private static final String FILE = "controller_config_file.yaml";
    private static final String SERVER = "grpcServerFilePath";

    private final List<String> mistakes;

    private ControllerConfigReader(List<String> mistakes) {
        this.mistakes = mistakes;
    }

    static ControllerConfig read(String yaml) {
        List<String> mistakes = new ArrayList<>();
        ControllerConfig config = new ControllerConfigReader(mistakes).config(load(yaml));
        if (!mistakes.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", mistakes));
        }
        return config;
    }

    static ControllerConfig read(ConfigMap map) {
        String text = map.getData() == null ? null : text(map.getData());
        if (text == null) {
            throw new IllegalArgumentException(
                    "ConfigMap \"" + map.getMetadata().getName()
                            + "\" must have a text data." + FILE + ", has "
                            + (map.getData() == null ? "no data" : map.getData().keySet()));
        }
        return read(text);
    }

    /** The page's own command, {@code --from-file}, puts the page's whole ConfigMap under the name of its file. */
    private static @Nullable String text(Map<String, String> data) {
        return data.containsKey(FILE)
                ? data.get(FILE)
                : data.values().stream()
                        .filter(text -> data.size() == 1 && text.contains(FILE))
                        .findFirst()
                        .orElse(null);
    }

    private static Map<?, ?> load(String yaml) {
        LoadSettings settings = LoadSettings.builder()
                .setSchema(new CoreSchema())
                .setAllowDuplicateKeys(false)
                .build();
        Object document;
        try {
            document = new Load(settings).loadFromString(yaml);
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException("the operator's configuration must be one YAML document, was not: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        if (!(document instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("the operator's configuration must be a map, was \"" + document
                    + "\"; for example accelerators: {}");
        }
        return "ConfigMap".equals(map.get("kind")) ? load(inside(map)) : map;
    }

    private static String inside(Map<?, ?> configMap) {
        if (configMap.get("data") instanceof Map<?, ?> data && data.get(FILE) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("the operator's ConfigMap must have a text data." + FILE + ", has "
                + (configMap.get("data") instanceof Map<?, ?> data ? data.keySet() : "no data"));
    }

    private ControllerConfig config(Map<?, ?> root) {
        Map<String, Object> fields = fields("", root, List.of("accelerators", SERVER, "tfImage"));
        text("", fields, SERVER);
        AcceleratorConfig accelerators = AcceleratorConfig.none();
        for (Map.Entry<?, ?> entry :
                map("accelerators", fields.get("accelerators")).entrySet()) {
            String resource = String.valueOf(entry.getKey());
            if (!(resource.equalsIgnoreCase(SERVER) && entry.getValue() instanceof String)) {
                accelerators = device(accelerators, resource, entry.getValue());
            }
        }
        return new ControllerConfig(accelerators, text("", fields, "tfImage"));
    }

    private AcceleratorConfig device(AcceleratorConfig before, String resource, @Nullable Object value) {
        String path = "accelerators." + resource;
        Map<String, Object> fields = fields(path + ".", map(path, value), List.of("volumes", "envVars"));
        AcceleratorConfig config = before;
        for (Map<?, ?> item : items(path + ".volumes", fields.get("volumes"))) {
            Map<String, Object> volume = fields(path + ".volumes.", item, List.of("name", "hostPath", "mountPath"));
            String of = path + ".volumes.";
            config = tried(
                    path,
                    config,
                    c -> c.volume(
                            resource,
                            required(of, volume, "name"),
                            required(of, volume, "hostPath"),
                            required(of, volume, "mountPath")));
        }
        for (Map<?, ?> item : items(path + ".envVars", fields.get("envVars"))) {
            Map<String, Object> variable = fields(path + ".envVars.", item, List.of("name", "value"));
            String of = path + ".envVars.";
            config = tried(
                    path,
                    config,
                    c -> c.env(
                            resource,
                            required(of, variable, "name"),
                            text(of, variable, "value").orElse("")));
        }
        return config;
    }

    private AcceleratorConfig tried(String path, AcceleratorConfig before, UnaryOperator<AcceleratorConfig> step) {
        int found = mistakes.size();
        try {
            return step.apply(before);
        } catch (IllegalArgumentException e) {
            if (mistakes.size() == found) {
                mistakes.add(path + ": " + e.getMessage());
            }
            return before;
        }
    }

    /** The fields by their known names, whatever their case. */
    private Map<String, Object> fields(String path, Map<?, ?> map, List<String> known) {
        Map<String, Object> fields = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            String name = String.valueOf(key);
            Optional<String> field =
                    known.stream().filter(name::equalsIgnoreCase).findFirst();
            if (field.isEmpty()) {
                mistakes.add("unknown key " + path + name + "; " + Nearest.hint(name, known));
            } else if (value != null && fields.put(field.get(), value) != null) {
                mistakes.add(path + field.get() + " is given twice; give each key once");
            }
        });
        return fields;
    }

    private Map<?, ?> map(String path, @Nullable Object value) {
        if (value == null || value instanceof Map) {
            return value == null ? Map.of() : (Map<?, ?>) value;
        }
        mistakes.add(path + " must be a map, was \"" + value + "\"");
        return Map.of();
    }

    private List<Map<?, ?>> items(String path, @Nullable Object value) {
        List<Map<?, ?>> items = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(item -> items.add(map(path, item)));
        } else if (value != null) {
            mistakes.add(path + " must be a list, was \"" + value + "\"");
        }
        return items;
    }

    private String required(String path, Map<String, Object> fields, String name) {
        if (!fields.containsKey(name)) {
            mistakes.add(path + name + " is missing");
        }
        return text(path, fields, name).orElse("");
    }

    private Optional<String> text(String path, Map<String, Object> fields, String name) {
        Object value = fields.get(name);
        if (value != null && !(value instanceof String)) {
            mistakes.add(path + name + " must be a text, was " + value + "; put it into quotes");
        }
        return value instanceof String string ? Optional.of(string) : Optional.empty();
    }
}
