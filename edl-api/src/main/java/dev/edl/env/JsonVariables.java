package dev.edl.env;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.DataNodeReader;
import dev.edl.internal.text.EscapeStyle;
import dev.edl.internal.text.FieldReader;
import dev.edl.internal.text.FieldReaderSettings;
import dev.edl.internal.text.JsonText;
import dev.edl.internal.text.SpellingSuggestion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Parses environment variables that hold JSON. Throws {@code IllegalArgumentException} for the first mistake, with the
 * variable, the path in the JSON and the value.
 */
final class JsonVariables {
    private static final Consumer<String> THROWING = mistake -> {
        throw new IllegalArgumentException(mistake);
    };

    static final List<String> TASK = List.of("type", "index");

    /** Valid values of the keys that a variable must have. */
    private static final Map<String, String> EXAMPLES = Map.of(
            "cluster", "{\"worker\":[{\"url\":\"worker-0\",\"port\":9091}]}",
            "labels", "{\"worker\":\"\"}",
            "task", "{\"type\":\"worker\",\"index\":0}",
            "type", "\"worker\"",
            "index", "0",
            "url", "\"worker-0\"",
            "port", "9091");

    /** Whole number, with zeros behind a point. */
    private static final Pattern WHOLE = Pattern.compile("^(-?\\d+)\\.0+$");

    private JsonVariables() {}

    /** Returns a reader of the JSON map that a variable holds. */
    static FieldReader read(String variable, String json) {
        DataNode node = json.isBlank()
                ? new DataNode.NullValue()
                : DataNodeReader.json(variable, json, THROWING).orElseThrow();
        if (!(node instanceof DataNode.Mapping)) {
            throw new IllegalArgumentException(variable + " must be a map, was "
                    + (json.isBlank() ? "nothing" : shown(node)) + "; for example {\"cluster\":…,\"task\":…}");
        }
        return FieldReader.of(variable, node, FieldReaderSettings.JSON, THROWING);
    }

    /** Returns the text of a value in messages. */
    static String shown(DataNode node) {
        return FieldReaderSettings.JSON.shown(node);
    }

    /** Returns a value as JSON on one line. */
    static String json(DataNode node) {
        return JsonText.line(node, EscapeStyle.ASCII_JSON);
    }

    /**
     * Returns the other keys of a map with their values as JSON. Rejects a key that misspells a known one, if that one
     * is missing.
     */
    static SortedMap<String, String> others(FieldReader fields, List<String> known) {
        SortedMap<String, String> others = new TreeMap<>();
        List<String> missing = known.stream().filter(key -> !fields.has(key)).toList();
        for (String key : fields.keys()) {
            if (!known.contains(key)) {
                SpellingSuggestion.to(key, missing).ifPresent(near -> {
                    throw new IllegalArgumentException(
                            fields.at(key) + ": unknown key; did you mean \"" + near + "\"?");
                });
                others.put(key, json(fields.node(key).orElseThrow()));
            }
        }
        return others;
    }

    /** Returns other keys as the rest of a JSON map, with a comma before each. */
    static String appendix(SortedMap<String, String> others) {
        StringBuilder json = new StringBuilder();
        others.forEach((key, value) -> json.append(',')
                .append(EscapeStyle.ASCII_JSON.quote(key))
                .append(':')
                .append(value));
        return json.toString();
    }

    /**
     * Returns an unmodifiable copy of other keys, each value on one line without whitespace. Throws if another key is a
     * known one, or a value is not JSON.
     */
    static SortedMap<String, String> checkedOthers(String path, List<String> known, SortedMap<String, String> others) {
        SortedMap<String, String> values = new TreeMap<>();
        others.forEach((key, value) -> {
            String at = path + "." + key;
            if (known.contains(key)) {
                throw new IllegalArgumentException(at + " must not be among the other keys; for example trial");
            }
            values.put(key, json(DataNodeReader.json(at, value, THROWING).orElseThrow()));
        });
        return Collections.unmodifiableSortedMap(values);
    }

    private static void require(FieldReader fields, String key) {
        if (!fields.has(key)) {
            throw new IllegalArgumentException(fields.path() + " must have the key " + key + ", had " + fields.shown()
                    + "; for example \"" + key + "\":" + EXAMPLES.get(key));
        }
    }

    /** Returns a reader of the map under a key; throws if the key is missing. */
    static FieldReader required(FieldReader fields, String key) {
        require(fields, key);
        return fields.map(key).orElseThrow();
    }

    /** Returns the text under a key; throws if the key is missing. */
    static String text(FieldReader fields, String key) {
        require(fields, key);
        return fields.text(key).orElseThrow();
    }

    /**
     * Returns the number under a key; throws if the key is missing. The JSON may hold it as a text that Python's
     * {@code int} accepts, or as a number such as 1.0.
     */
    static int number(FieldReader fields, String key) {
        require(fields, key);
        DataNode node = fields.node(key).orElseThrow();
        return EnvReader.number(
                fields.at(key),
                node instanceof DataNode.Text text
                        ? EnvReader.plainNumber(text.value())
                        : WHOLE.matcher(shown(node)).replaceFirst("$1"));
    }

    /**
     * Returns readers of the maps in the list under a key.
     *
     * @param form valid form of a map, for the message if the value is not a list
     */
    static List<FieldReader> items(FieldReader fields, String key, String form) {
        DataNode node = fields.node(key).orElseThrow();
        if (!(node instanceof DataNode.Sequence)) {
            throw new IllegalArgumentException(fields.at(key) + " must be a list of " + form + ", was " + shown(node));
        }
        List<FieldReader> items = new ArrayList<>();
        fields.items(key, (path, item) -> fields.map(path, item).ifPresent(items::add));
        return items;
    }

    static String word(String path, String word) {
        EnvReader.checkWord(path, word);
        return word;
    }

    static String address(String path, DataNode node) {
        if (node instanceof DataNode.Text address && EnvReader.isTaskAddress(address.value())) {
            return address.value();
        }
        throw EnvReader.wrongTaskAddress(path, shown(node));
    }

    /** Returns the value of the key {@code task} of {@code TF_CONFIG} or {@code MX_CONFIG}. */
    static Task task(FieldReader config) {
        FieldReader task = required(config, "task");
        SortedMap<String, String> others = others(task, TASK);
        return new Task(word(task.at("type"), text(task, "type")), number(task, "index"), others);
    }
}
