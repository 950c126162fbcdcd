package dev.edl.env;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.DataNodeReader;
import dev.edl.internal.text.FieldReader;
import dev.edl.internal.text.ReaderDialect;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Parses variables that hold JSON; throws the first mistake with the variable, the path and the value. */
final class JsonVariables {
    private static final Consumer<String> THROWING = mistake -> {
        throw new IllegalArgumentException(mistake);
    };

    private JsonVariables() {}

    /** Returns the map that a variable holds. */
    static FieldReader read(String variable, String json) {
        DataNode node = json.isBlank()
                ? new DataNode.NullValue()
                : DataNodeReader.json(variable, json, THROWING).orElseThrow();
        if (!(node instanceof DataNode.Mapping)) {
            throw new IllegalArgumentException(variable + " must be a map, was "
                    + (json.isBlank() ? "nothing" : shown(node)) + "; for example {\"cluster\":…,\"task\":…}");
        }
        return FieldReader.of(variable, node, ReaderDialect.JSON, THROWING);
    }

    /** Returns a value as a message shows it. */
    static String shown(DataNode node) {
        return ReaderDialect.JSON.shown(node);
    }

    private static void require(FieldReader fields, String key) {
        if (!fields.has(key)) {
            throw new IllegalArgumentException(fields.path() + " must have the key " + key + ", had " + fields.shown());
        }
    }

    /** Returns the map of a key. */
    static FieldReader required(FieldReader fields, String key) {
        require(fields, key);
        return fields.map(key).orElseThrow();
    }

    /** Returns the text of a key. */
    static String text(FieldReader fields, String key) {
        require(fields, key);
        return fields.text(key).orElseThrow();
    }

    /** Returns the number of a key, which may be a number or a text. */
    static int number(FieldReader fields, String key) {
        require(fields, key);
        DataNode node = fields.node(key).orElseThrow();
        return EnvReader.number(
                fields.at(key), node instanceof DataNode.Text text ? text.value() : JsonVariables.shown(node));
    }

    /**
     * Returns the maps of a list.
     *
     * @param form valid form of a map, for the message that the list is missing
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
        if (node instanceof DataNode.Text address && EnvReader.isAddress(address.value())) {
            return address.value();
        }
        throw new IllegalArgumentException(path + " must be host:port, with a port from 1 to 65535, was " + shown(node)
                + "; for example ps-0.default.svc:2222");
    }

    /** Returns the task of a variable. */
    static Task task(FieldReader config) {
        FieldReader task = required(config, "task").only(List.of("type", "index"));
        return new Task(word(task.at("type"), text(task, "type")), number(task, "index"));
    }
}
