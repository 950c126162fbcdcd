package dev.edl.env;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.edl.spec.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A variable that holds JSON, being read: what is wrong is said with the variable, the path and the value. */
final class ConfigText {
    private static final ObjectReader JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .reader();

    /** Jackson's words on where something began, with what the text is not told by. */
    private static final Pattern SOURCE = Pattern.compile("\\[Source: .*?; (line: \\d+, column: \\d+)]");

    private final String variable;
    private final JsonNode root;

    private ConfigText(String variable, JsonNode root) {
        this.variable = variable;
        this.root = root;
    }

    static ConfigText read(String variable, String json) {
        try {
            ConfigText text = new ConfigText(variable, JSON.readTree(json));
            text.fields(text.root, "");
            return text;
        } catch (JsonProcessingException e) {
            // A text that is nested too deeply has no place.
            @Nullable JsonLocation at = e.getLocation();
            throw new IllegalArgumentException(
                    variable + " must be JSON, was not"
                            + (at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr()) + ": "
                            + SOURCE.matcher(e.getOriginalMessage()).replaceAll("$1"),
                    e);
        }
    }

    JsonNode root() {
        return root;
    }

    IllegalArgumentException wrong(String path, String sentence) {
        return new IllegalArgumentException(variable + (path.isEmpty() ? "" : "." + path) + " " + sentence);
    }

    void onlyKeys(JsonNode node, String path, List<String> known) {
        fields(node, path).keySet().forEach(key -> {
            if (!known.contains(key)) {
                throw wrong(path.isEmpty() ? key : path + "." + key, "is unknown; " + Nearest.hint(key, known));
            }
        });
    }

    Map<String, JsonNode> fields(JsonNode node, String path) {
        return fields(node, path, "a map");
    }

    Map<String, JsonNode> fields(JsonNode node, String path, String rule) {
        if (!node.isObject()) {
            throw wrong(
                    path,
                    "must be " + rule + ", was " + shown(node)
                            + (path.isEmpty() ? "; for example {\"cluster\":…,\"task\":…}" : ""));
        }
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        node.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        return fields;
    }

    List<JsonNode> items(JsonNode array) {
        List<JsonNode> items = new ArrayList<>();
        array.forEach(items::add);
        return items;
    }

    JsonNode required(JsonNode node, String path, String key) {
        JsonNode value = node.get(key);
        if (value == null) {
            throw wrong(path, "must have the key " + key + ", had " + shown(node));
        }
        return value;
    }

    String string(String path, JsonNode node) {
        if (!node.isTextual()) {
            throw wrong(path, "must be a text, was " + shown(node));
        }
        return node.textValue();
    }

    String word(String path, String word) {
        EnvText.checkWord(variable + "." + path, word);
        return word;
    }

    String address(String path, JsonNode node) {
        String address = string(path, node);
        if (!EnvText.isAddress(address)) {
            throw wrong(
                    path,
                    "must hold addresses host:port, with ports from 1 to 65535, held \"" + address
                            + "\"; for example ps-0.default.svc:2222");
        }
        return address;
    }

    int number(String path, String digits) {
        return EnvText.number(variable + "." + path, digits);
    }

    int number(String path, JsonNode node) {
        return number(path, node.isValueNode() && !node.isNull() ? node.asText() : shown(node));
    }

    Task task(JsonNode node) {
        onlyKeys(node, "task", List.of("type", "index"));
        String type = word("task.type", string("task.type", required(node, "task", "type")));
        return new Task(type, number("task.index", required(node, "task", "index")));
    }

    private static String shown(JsonNode node) {
        String text = node.isMissingNode() ? "nothing" : node.toString();
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
