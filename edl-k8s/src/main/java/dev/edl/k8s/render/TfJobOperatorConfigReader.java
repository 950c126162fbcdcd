package dev.edl.k8s.render;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.FieldReader;
import dev.edl.internal.text.FieldReaderSettings;
import dev.edl.internal.text.YamlTabs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Parses a {@link TfJobOperatorConfig}, and reports everything that the operator would not understand. */
final class TfJobOperatorConfigReader {
    private static final String FILE = "controller_config_file.yaml";

    /** A scalar in several buffers takes quadratic time; the parser accepts at most this many characters. */
    private static final int LONGEST_BUFFER = 3 << 20;

    private static final String SERVER = "grpcServerFilePath";
    private static final DataNode NOTHING = new DataNode.NullValue();

    private final List<String> mistakes;

    private TfJobOperatorConfigReader(List<String> mistakes) {
        this.mistakes = mistakes;
    }

    static TfJobOperatorConfig read(String yaml) {
        List<String> mistakes = new ArrayList<>();
        TfJobOperatorConfig config = new TfJobOperatorConfigReader(mistakes).config(load(yaml));
        if (!mistakes.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", mistakes));
        }
        return config;
    }

    static TfJobOperatorConfig read(ConfigMap map) {
        String text = map.getData() == null ? null : text(map.getData());
        if (text == null) {
            throw new IllegalArgumentException(
                    "ConfigMap \"" + map.getMetadata().getName()
                            + "\" must have a text data." + FILE + ", has "
                            + (map.getData() == null ? "no data" : map.getData().keySet()));
        }
        return read(text);
    }

    /**
     * Returns the configuration's text from a ConfigMap's data. The command on the operator's page, with
     * {@code --from-file}, stores the page's whole ConfigMap under its file name.
     */
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
                .setBufferSize(Math.min(yaml.length(), LONGEST_BUFFER) + 1024)
                .build();
        Object document;
        try {
            document = new Load(settings).loadFromString(YamlTabs.replaced(yaml));
        } catch (MarkedYamlEngineException e) {
            throw new IllegalArgumentException("the operator's configuration must be one YAML document, was not"
                    + e.getProblemMark()
                            .map(mark -> " at line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1))
                            .orElse("")
                    + ": " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException("the operator's configuration must be one YAML document, was not: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        if (!(document instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("the operator's configuration must be a map, was \"" + document
                    + "\"; for example accelerators: {}");
        }
        Map<?, ?> object = map.get("items") instanceof List<?> items ? item(items) : map;
        return "ConfigMap".equals(object.get("kind")) ? load(inside(object)) : object;
    }

    /** Returns the operator's ConfigMap among the items of a list, which kubectl prints for several objects. */
    private static Map<?, ?> item(List<?> items) {
        List<Map<?, ?>> found = new ArrayList<>();
        for (Object item : items) {
            if (item instanceof Map<?, ?> map && map.get("data") instanceof Map<?, ?> data && data.containsKey(FILE)) {
                found.add(map);
            }
        }
        if (found.size() != 1) {
            throw new IllegalArgumentException(
                    "the list must have one ConfigMap with data." + FILE + ", has " + found.size());
        }
        return found.get(0);
    }

    private static String inside(Map<?, ?> configMap) {
        if (configMap.get("data") instanceof Map<?, ?> data && data.get(FILE) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("the operator's ConfigMap must have a text data." + FILE + ", has "
                + (configMap.get("data") instanceof Map<?, ?> data ? data.keySet() : "no data"));
    }

    private TfJobOperatorConfig config(Map<?, ?> root) {
        FieldReader fields = only(of("", DataNode.of(root)), List.of("accelerators", SERVER, "tfImage"));
        fields.text(SERVER);
        AcceleratorConfig accelerators = AcceleratorConfig.none();
        FieldReader devices = of("accelerators", fields.node("accelerators").orElse(new DataNode.Mapping(Map.of())));
        for (String resource : devices.keys()) {
            boolean server = resource.equalsIgnoreCase(SERVER)
                    && devices.node(resource).orElse(NOTHING) instanceof DataNode.Text;
            if (!server) {
                accelerators = device(accelerators, devices, resource);
            }
        }
        return new TfJobOperatorConfig(accelerators, fields.text("tfImage"));
    }

    private AcceleratorConfig device(AcceleratorConfig before, FieldReader devices, String resource) {
        String path = devices.at(resource);
        DataNode given = devices.node(resource).orElse(NOTHING);
        FieldReader device = only(
                of(path, given instanceof DataNode.NullValue ? new DataNode.Mapping(Map.of()) : given),
                List.of("volumes", "envVars"));
        AcceleratorConfig config = before;
        for (FieldReader volume : items(device, "volumes", List.of("name", "hostPath", "mountPath"))) {
            config = tried(
                    path,
                    config,
                    c -> c.volume(
                            resource,
                            required(volume, "name"),
                            required(volume, "hostPath"),
                            required(volume, "mountPath")));
        }
        for (FieldReader variable : items(device, "envVars", List.of("name", "value"))) {
            config = tried(
                    path,
                    config,
                    c -> c.env(
                            resource,
                            required(variable, "name"),
                            variable.text("value").orElse("")));
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

    private FieldReader of(String path, DataNode node) {
        return FieldReader.of(path, node, FieldReaderSettings.PLAIN, mistakes::add);
    }

    /**
     * Returns the map with its known keys in their documented case, because the operator, written in Go, accepts any
     * case.
     */
    private FieldReader only(FieldReader map, List<String> known) {
        Map<String, DataNode> fields = new LinkedHashMap<>();
        for (String key : map.keys()) {
            String field =
                    known.stream().filter(key::equalsIgnoreCase).findFirst().orElse(key);
            DataNode value = map.node(key).orElse(NOTHING);
            boolean counts = !known.contains(field) || !(value instanceof DataNode.NullValue);
            if (counts && fields.put(field, value) != null) {
                mistakes.add(map.at(field) + " is given twice; give each key once");
            }
        }
        return of(map.path(), new DataNode.Mapping(fields)).only(known);
    }

    private List<FieldReader> items(FieldReader device, String key, List<String> known) {
        List<FieldReader> items = new ArrayList<>();
        device.items(key, (path, item) -> device.map(path, item).ifPresent(map -> items.add(only(map, known))));
        return items;
    }

    private String required(FieldReader fields, String key) {
        if (!fields.has(key)) {
            mistakes.add(fields.at(key) + " is missing");
        }
        return fields.text(key).orElse("");
    }
}
