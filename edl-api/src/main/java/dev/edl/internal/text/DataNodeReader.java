package dev.edl.internal.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON or YAML document: plain data only. Keys given twice, anchors, aliases and tags, several documents, and
 * texts that are too long or too deep are refused.
 *
 * <p>Jackson's parsers declare I/O even for a text in memory.
 */
public final class DataNodeReader {
    /** A job is some hundred lines; this leaves room for long environments. */
    private static final int LONGEST = 1 << 20;

    private static final int DEEPEST = 20;
    private static final JsonFactory JSON = new JsonFactory();
    private static final JsonFactory YAML = new YAMLFactory();

    /** Jackson's words on where something began, with what the text is not told by. */
    private static final Pattern SOURCE = Pattern.compile("\\[Source: .*?; (line: \\d+, column: \\d+)]");

    private final JsonParser parser;
    private final Consumer<String> problems;

    private DataNodeReader(JsonParser parser, Consumer<String> problems) {
        this.parser = parser;
        this.problems = problems;
    }

    /** Reads the JSON of a job. */
    public static Optional<DataNode> json(String text, Consumer<String> problems) {
        return json("", text, problems);
    }

    /**
     * Reads JSON.
     *
     * @param path of the whole, with which all other paths begin; empty for a job
     */
    public static Optional<DataNode> json(String path, String text, Consumer<String> problems) {
        return read(JSON, "JSON", path, text, problems);
    }

    /** Reads the YAML of a job. */
    public static Optional<DataNode> yaml(String text, Consumer<String> problems) {
        return read(YAML, "YAML", "", text, problems);
    }

    private static Optional<DataNode> read(
            JsonFactory factory, String format, String path, String text, Consumer<String> problems) {
        String whole = named(path);
        if (text.length() > LONGEST) {
            problems.accept(whole + " must have at most " + LONGEST + " characters, had " + text.length());
            return Optional.empty();
        }
        try (JsonParser parser = factory.createParser(text)) {
            if (parser.nextToken() == null) {
                problems.accept(whole + " must hold a job, was empty; for example name: test-mnist");
                return Optional.empty();
            }
            DataNode node = new DataNodeReader(parser, problems).node(path, 0);
            if (parser.nextToken() != null) {
                problems.accept(whole + " must hold one document, held more");
            }
            return Optional.of(node);
        } catch (TooDeep e) {
            problems.accept(e.path + " must be nested at most " + DEEPEST + " deep, was deeper");
        } catch (JsonProcessingException e) {
            problems.accept(whole + " must be " + format + ", was not at line "
                    + e.getLocation().getLineNr() + ", column "
                    + e.getLocation().getColumnNr() + ": "
                    + withoutExcerpts(e.getOriginalMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Optional.empty();
    }

    private static String named(String path) {
        return path.isEmpty() ? "text" : path;
    }

    /** YAML's message has the context, the problem, and an excerpt, indented, below each; JSON's says that there is no excerpt. */
    private static String withoutExcerpts(@Nullable String message) {
        return SOURCE.matcher(String.valueOf(message))
                .replaceAll("$1")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith(" "))
                .collect(Collectors.joining("; "));
    }

    private DataNode node(String path, int depth) throws IOException {
        if (depth > DEEPEST) {
            throw new TooDeep(path);
        }
        refuseReferences(path);
        return switch (parser.currentToken()) {
            case START_OBJECT -> new DataNode.Mapping(fields(path, depth));
            case START_ARRAY -> new DataNode.Sequence(items(path, depth));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new DataNode.Numeral(parser.getText());
            case VALUE_TRUE -> new DataNode.BooleanValue(true, parser.getText());
            case VALUE_FALSE -> new DataNode.BooleanValue(false, parser.getText());
            case VALUE_NULL -> new DataNode.NullValue();
            default -> new DataNode.Text(parser.getText());
        };
    }

    private Map<String, DataNode> fields(String path, int depth) throws IOException {
        Map<String, DataNode> nodes = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            parser.nextToken();
            String place = path.isEmpty() ? key : path + "." + key;
            DataNode node = node(place, depth + 1);
            if (nodes.putIfAbsent(key, node) != null) {
                problems.accept(place + " is given twice; give each key once");
            }
        }
        return nodes;
    }

    private List<DataNode> items(String path, int depth) throws IOException {
        List<DataNode> nodes = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            nodes.add(node(path + "[" + nodes.size() + "]", depth + 1));
        }
        return nodes;
    }

    /**
     * An alias would arrive as a text that is the anchor's name, and a tag would be dropped. The anchor of a single
     * value is not told by the parser; without an alias it means nothing.
     */
    private void refuseReferences(String path) throws IOException {
        String place = named(path);
        if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
            problems.accept(place + " must be written out, was the alias *" + yaml.getText());
        } else if (parser.getObjectId() != null) {
            problems.accept(place + " must have no anchor, had &" + parser.getObjectId());
        }
        if (parser.getTypeId() != null) {
            problems.accept(place + " must have no tag, had !" + parser.getTypeId());
        }
    }

    private static final class TooDeep extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final String path;

        TooDeep(String path) {
            this.path = path;
        }
    }
}
