package dev.edl.operators.crd;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.Schema;

/**
 * Reads YAML or JSON documents that are maps. Rejects duplicate keys, tags, and texts that are too long or nested too
 * deep.
 */
final class YamlDocumentReader {
    /**
     * Maximum number of characters of a text. The cluster's store accepts objects of at most this many bytes, 1.5 MiB.
     */
    private static final int LONGEST = 3 << 19;

    private YamlDocumentReader() {}

    static CustomObject read(String yaml) {
        List<CustomObject> documents = all(yaml);
        if (documents.size() != 1) {
            throw wrong("text must hold one document, held "
                    + (documents.isEmpty()
                            ? "none"
                            : documents.size() + "; read each of CustomObject.allFromYaml(text) by itself"));
        }
        return documents.get(0);
    }

    /** Returns the documents of a text, without empty ones. */
    static List<CustomObject> all(String yaml) {
        if (yaml.length() > LONGEST) {
            throw wrong("text must have at most " + LONGEST + " characters, had " + yaml.length());
        }
        LoadSettings settings = settings(new KubernetesYaml());
        List<CustomObject> documents = new ArrayList<>();
        try {
            depth(new Parse(settings).parseString(yaml));
            // In this schema every scalar is its source text.
            Iterator<Object> sources = new Load(settings(new FailsafeYaml()))
                    .loadAllFromString(yaml)
                    .iterator();
            for (Object document : new Load(settings).loadAllFromString(yaml)) {
                Object source = sources.next();
                if (document != null) {
                    documents.add(document(document, source));
                }
            }
        } catch (MarkedYamlEngineException e) {
            throw wrong("text must be YAML, was not"
                    + e.getProblemMark()
                            .map(mark -> " at line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1))
                            .orElse("")
                    + ": " + e.getProblem());
        } catch (YamlEngineException e) {
            throw wrong("text must be YAML, was not: " + e.getMessage());
        }
        return documents;
    }

    private static LoadSettings settings(Schema schema) {
        return LoadSettings.builder()
                .setSchema(schema)
                .setAllowDuplicateKeys(false)
                .setCodePointLimit(LONGEST)
                .build();
    }

    /** Rejects documents that are nested too deep, on which the parser would overflow the thread's stack. */
    private static void depth(Iterable<Event> events) {
        int depth = 0;
        for (Event event : events) {
            if (event instanceof CollectionStartEvent start && ++depth > PlainData.DEEPEST) {
                throw wrong("text must be nested at most " + PlainData.DEEPEST + " deep, was deeper"
                        + start.getStartMark()
                                .map(mark -> " at line " + (mark.getLine() + 1))
                                .orElse(""));
            }
            if (event instanceof CollectionEndEvent) {
                depth--;
            }
        }
    }

    @SuppressWarnings("unchecked") // Copying plain data turns its keys into strings.
    private static CustomObject document(Object document, Object source) {
        if (!(document instanceof Map<?, ?> map)) {
            throw wrong("text must be a map, was " + PlainData.json(document)
                    + "; for example apiVersion: kubeflow.org/v1");
        }
        try {
            return CustomObject.of((Map<String, ?>) map, (Map<String, ?>) source);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private static InvalidResourceException wrong(String line) {
        return new InvalidResourceException("resource", List.of(line));
    }
}
