package dev.edl.operators.crd;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.DataNodeReader;
import dev.edl.internal.text.MessageText;
import dev.edl.internal.text.YamlTabs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.Schema;

/**
 * Reads YAML or JSON documents that are maps, as kubectl does: JSON objects may follow each other without a separator,
 * and a list of resources stands for its items. Rejects duplicate keys, tags, and texts that are too long or nested too
 * deep.
 *
 * @see <a href="https://github.com/kubernetes/apimachinery/blob/v0.36.3/pkg/util/yaml/decoder.go">Kubernetes:
 *     YAMLOrJSONDecoder</a>
 */
final class YamlDocumentReader {
    /**
     * Maximum number of characters of a text. The cluster's store accepts objects of at most this many bytes, 1.5 MiB.
     */
    private static final int LONGEST = 3 << 19;

    /** Size of a buffer for a short text, and the rest of a buffer behind a long one. */
    private static final int SPARE = 1024;

    private static final int OF_LIST = -1;
    private static final String ITEMS = "items";

    private final List<CustomObject> objects = new ArrayList<>();
    private boolean lists;

    private YamlDocumentReader() {}

    static CustomObject read(String yaml) {
        YamlDocumentReader reader = new YamlDocumentReader();
        reader.text(yaml);
        int count = reader.objects.size();
        if (count != 1) {
            throw wrong("text must hold one " + (reader.lists ? "object" : "document") + ", held "
                    + (count == 0 ? "none" : Integer.toString(count))
                    + (reader.lists ? ", counting the items of lists" : "")
                    + (count == 0 ? "" : "; read each of CustomObject.allFromYaml(text) by itself"));
        }
        return reader.objects.get(0);
    }

    /** Returns the objects of a text, without empty documents. */
    static List<CustomObject> all(String yaml) {
        YamlDocumentReader reader = new YamlDocumentReader();
        reader.text(yaml);
        return reader.objects;
    }

    private void text(String text) {
        if (text.length() > LONGEST) {
            throw wrong("text must have at most " + LONGEST + " characters, had " + text.length());
        }
        List<DataNode> json = new ArrayList<>();
        int end = DataNodeReader.jsonObjects(text, PlainData.DEEPEST, json);
        json.forEach(node -> document(PlainData.of(node), PlainData.source(node)));
        String rest = text.substring(end).stripLeading();
        if (rest.startsWith("{")) {
            end = text.length() - rest.length();
        }
        if (end == 0 || !rest.isEmpty()) {
            // Blanks in place of the JSON keep the positions of the rest.
            yaml(YamlTabs.replaced(text.substring(0, end).replaceAll("[^\\r\\n]", " ") + text.substring(end)));
        }
    }

    private void yaml(String yaml) {
        LoadSettings settings = settings(new KubernetesYaml(), yaml);
        try {
            check(new Parse(settings).parseString(yaml), yaml);
            // In this schema every scalar is its source text.
            Iterator<Object> sources = new Load(settings(new FailsafeYaml(), yaml))
                    .loadAllFromString(yaml)
                    .iterator();
            for (Object document : new Load(settings).loadAllFromString(yaml)) {
                Object source = sources.next();
                if (document != null) {
                    document(document, source);
                }
            }
        } catch (MarkedYamlEngineException e) {
            throw wrong("text must be YAML, was not"
                    + e.getProblemMark().map(YamlDocumentReader::position).orElse("")
                    + ": " + e.getProblem());
        } catch (YamlEngineException e) {
            throw wrong("text must be YAML, was not: " + e.getMessage());
        }
    }

    /**
     * Returns settings whose buffer holds the whole text. With several buffers, the time is quadratic in the length of
     * a scalar.
     */
    static LoadSettings settings(Schema schema, String text) {
        return LoadSettings.builder()
                .setSchema(schema)
                .setAllowDuplicateKeys(false)
                .setCodePointLimit(LONGEST)
                .setBufferSize(Math.min(text.length(), LONGEST) + SPARE)
                .build();
    }

    /**
     * Rejects documents that are nested too deep, on which the parser would overflow the thread's stack, and keys that
     * are maps or lists.
     */
    private static void check(Iterable<Event> events, String text) {
        // Number of nodes in each open map; OF_LIST in each open list.
        Deque<Integer> open = new ArrayDeque<>();
        for (Event event : events) {
            boolean key = event instanceof NodeEvent && isKey(open);
            if (event instanceof CollectionStartEvent start) {
                boolean map = start instanceof MappingStartEvent;
                if (key) {
                    throw wrong("a key must be a text, was a " + (map ? "map" : "list")
                            + start.getStartMark()
                                    .map(mark -> position(mark) + ": " + MessageText.quoted(line(text, mark.getLine())))
                                    .orElse("")
                            + "; for example x: 1, or the output of a template");
                }
                open.push(map ? 0 : OF_LIST);
                if (open.size() > PlainData.DEEPEST) {
                    throw wrong("text must be nested at most " + PlainData.DEEPEST + " deep, was deeper"
                            + start.getStartMark()
                                    .map(mark -> " at line " + (mark.getLine() + 1))
                                    .orElse(""));
                }
            }
            if (event instanceof CollectionEndEvent) {
                open.pop();
            }
        }
    }

    private static boolean isKey(Deque<Integer> open) {
        if (open.isEmpty() || open.element() == OF_LIST) {
            return false;
        }
        int before = open.pop();
        open.push(before + 1);
        return before % 2 == 0;
    }

    private static String position(Mark mark) {
        return " at line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
    }

    private static String line(String text, int index) {
        return text.lines().skip(index).findFirst().orElse("").strip();
    }

    @SuppressWarnings("unchecked") // Copying plain data turns its keys into strings.
    private void document(@Nullable Object document, @Nullable Object source) {
        if (!(document instanceof Map<?, ?> map)) {
            throw wrong("text must be a map, was " + PlainData.json(document)
                    + "; for example apiVersion: kubeflow.org/v1");
        }
        CustomObject object;
        try {
            object = CustomObject.of((Map<String, ?>) map, (Map<String, ?>) Objects.requireNonNull(source));
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        add(object);
    }

    /** Adds an object, or the items of a list. In Kubernetes, an object with the key {@code items} is a list. */
    private void add(CustomObject object) {
        if (object.kind().isEmpty() || !object.fields().containsKey(ITEMS)) {
            objects.add(object);
            return;
        }
        lists = true;
        Object items = object.fields().get(ITEMS);
        if (items != null && !(items instanceof List<?>)) {
            throw wrong("items of a " + object.kind() + " must be a list, was " + PlainData.json(items)
                    + "; for example [{apiVersion: kubeflow.org/v1, kind: TFJob}]");
        }
        Iterator<?> sources = items == null ? List.of().iterator() : list(object.source());
        for (Object item : items == null ? List.of() : (List<?>) items) {
            if (!(item instanceof Map<?, ?> fields)) {
                throw wrong("an item of a " + object.kind() + " must be a map, was " + PlainData.json(item)
                        + "; for example {apiVersion: kubeflow.org/v1, kind: TFJob}");
            }
            add(CustomObject.of(item(object, fields), item(object, (Map<?, ?>) sources.next())));
        }
    }

    private static Iterator<?> list(Map<String, Object> source) {
        return ((List<?>) Objects.requireNonNull(source.get(ITEMS))).iterator();
    }

    /** Returns an item with its version and kind, which the items of a list such as a TFJobList need not have. */
    private static Map<String, Object> item(CustomObject list, Map<?, ?> fields) {
        Map<String, Object> item = new LinkedHashMap<>();
        String kind = list.kind().replaceFirst("List$", "");
        if (!fields.containsKey("apiVersion") && !fields.containsKey("kind") && !kind.isEmpty()) {
            item.put("apiVersion", list.apiVersion());
            item.put("kind", kind);
        }
        fields.forEach((key, value) -> item.put(String.valueOf(key), value));
        return item;
    }

    private static InvalidResourceException wrong(String line) {
        return new InvalidResourceException("resource", List.of(line));
    }
}
