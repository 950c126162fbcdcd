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
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.scanner.ScannerException;

/**
 * Parses one JSON or YAML document of plain data. Rejects duplicate keys, anchors, aliases, tags, several documents,
 * and texts that are too long or too deep. Skips empty documents of YAML, as {@code kubectl apply} does.
 *
 * <p>No I/O error can occur, though Jackson's parsers declare one even for a text in memory.
 */
public final class DataNodeReader {
    /**
     * Maximum number of characters of a text. A job has some hundred lines; the bound leaves room for long
     * environments.
     */
    private static final int LONGEST = 1 << 20;

    private static final int DEEPEST = 20;
    private static final JsonFactory JSON = new JsonFactory();
    private static final JsonFactory YAML = new YAMLFactory();

    /**
     * Matches Jackson's description of a location: the source, which is useless in a message, then line and column.
     */
    private static final Pattern SOURCE = Pattern.compile("\\[Source: .*?; (line: \\d+, column: \\d+)]");

    /** Beginning of Jackson's message for a key of YAML that is a map, a list or an alias. */
    private static final String NO_KEY = "Expected a field name (Scalar value in YAML)";

    private final JsonParser parser;
    private final int deepest;
    private final Consumer<String> problems;

    private DataNodeReader(JsonParser parser, int deepest, Consumer<String> problems) {
        this.parser = parser;
        this.deepest = deepest;
        this.problems = problems;
    }

    /**
     * Parses the JSON of a job; passes each mistake to {@code problems}. Returns an empty value for a text that cannot
     * be parsed.
     */
    public static Optional<DataNode> json(String text, Consumer<String> problems) {
        return json("", text, problems);
    }

    /**
     * Parses JSON; passes each mistake to {@code problems}. Returns an empty value for a text that cannot be parsed.
     *
     * @param path prefix of all paths in messages; empty for a job
     */
    public static Optional<DataNode> json(String path, String text, Consumer<String> problems) {
        return read(JSON, "JSON", path, text, problems);
    }

    /**
     * Parses the YAML of a job; passes each mistake to {@code problems}. Returns an empty value for a text that cannot
     * be parsed.
     */
    public static Optional<DataNode> yaml(String text, Consumer<String> problems) {
        return read(YAML, "YAML", "", YamlTabs.replaced(text), problems);
    }

    /**
     * Parses the JSON objects at the beginning of a text, which need no separator. Stops before any other text, a
     * repeated key, and an object that is nested too deep.
     *
     * @param deepest maximum number of maps and lists in one another
     * @param objects receives each object
     * @return index in {@code text} behind the last object; 0 if the text begins with none
     */
    public static int jsonObjects(String text, int deepest, List<DataNode> objects) {
        int end = 0;
        try (JsonParser parser = JSON.createParser(text)) {
            DataNodeReader reader = new DataNodeReader(parser, deepest, mistake -> {
                throw new IllegalArgumentException(mistake);
            });
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                objects.add(reader.node("", 0));
                end = (int) parser.currentLocation().getCharOffset();
            }
        } catch (TooDeep | IllegalArgumentException | JsonProcessingException e) {
            return end;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return end;
    }

    private static Optional<DataNode> read(
            JsonFactory factory, String format, String path, String text, Consumer<String> problems) {
        String whole = named(path);
        if (text.length() > LONGEST) {
            problems.accept(whole + " must have at most " + LONGEST + " characters, had " + text.length());
            return Optional.empty();
        }
        try (JsonParser parser = factory.createParser(text)) {
            if (!nextDocument(parser)) {
                problems.accept(whole + " must hold a job, was empty; for example name: test-mnist");
                return Optional.empty();
            }
            DataNode node = new DataNodeReader(parser, DEEPEST, problems).node(path, 0);
            if (nextDocument(parser)) {
                problems.accept(whole + " must hold one document, held more");
            }
            return Optional.of(node);
        } catch (TooDeep e) {
            problems.accept(e.path + " must be nested at most " + DEEPEST + " deep, was deeper");
        } catch (JsonProcessingException e) {
            problems.accept(whole + " must be " + format + ", was not at " + position(e) + ": "
                    + withoutExcerpts(e.getOriginalMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Optional.empty();
    }

    /** Moves to the next document that is not empty. Returns false at the end of the text. */
    private static boolean nextDocument(JsonParser parser) throws IOException {
        JsonToken token = parser.nextToken();
        while (token == JsonToken.VALUE_NULL && parser instanceof YAMLParser) {
            token = parser.nextToken();
        }
        return token != null;
    }

    /**
     * Returns the position of an error. For a character that begins no token of YAML, Jackson has the position of the
     * last event, which may be the beginning of the text.
     */
    private static String position(JsonProcessingException error) {
        Mark mark = error.getCause() instanceof ScannerException yaml ? yaml.getProblemMark() : null;
        return mark == null
                ? "line " + error.getLocation().getLineNr() + ", column "
                        + error.getLocation().getColumnNr()
                : "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
    }

    private static String named(String path) {
        return path.isEmpty() ? "text" : path;
    }

    /**
     * Returns Jackson's message without excerpts of the text. For YAML, the message has a context and a problem, with
     * an indented excerpt below each. For JSON, it has a note in place of the excerpt. For a wrong key of YAML, it has
     * the name of a Java class.
     */
    private static String withoutExcerpts(@Nullable String message) {
        if (message != null && message.startsWith(NO_KEY)) {
            return "a key must be a text, was a map, a list or an alias; for example name: mnist, or the output of"
                    + " a template";
        }
        return SOURCE.matcher(String.valueOf(message))
                .replaceAll("$1")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith(" "))
                .collect(Collectors.joining("; "));
    }

    private DataNode node(String path, int depth) throws IOException {
        if (depth > deepest) {
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
     * Rejects aliases, tags and anchors. Otherwise an alias would be read as a text with the anchor's name, and a tag
     * would be dropped. An anchor of a scalar is accepted, because the parser does not report it; without an alias, it
     * has no effect.
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
