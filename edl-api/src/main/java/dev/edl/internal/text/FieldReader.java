package dev.edl.internal.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Strict reader of a map. An unknown key is a mistake, reported with the nearest known key; so is a value of the wrong
 * type. Each mistake names the path. An absent key is not a mistake.
 *
 * <p>A method with a parameter {@code use} passes the value to it. It does not call {@code use} if the key is absent or
 * has a wrong value. A method that returns the value returns an empty one in these cases.
 */
public final class FieldReader {
    private static final Pattern DECIMAL = Pattern.compile("-?(?:0|[1-9]\\d{0,400})(?:\\.\\d{1,400})?");
    private static final int INT_BITS = 32;
    private static final int LONG_BITS = 64;

    private final String path;
    private final Map<String, DataNode> nodes;
    private final ValueReader values;

    FieldReader(String path, Map<String, DataNode> nodes, ValueReader values) {
        this.path = path;
        this.nodes = nodes;
        this.values = values;
    }

    /**
     * Returns the reader of a map; for any other node, reports a mistake and returns the reader of an empty map.
     *
     * @param path path of the map in messages; empty for the topmost map
     * @param dialect dialect of the messages
     * @param problems receiver of each mistake
     */
    public static FieldReader of(String path, DataNode node, FieldReaderSettings dialect, Consumer<String> problems) {
        ValueReader values = new ValueReader(dialect, problems);
        return values.map(path, node).orElseGet(() -> new FieldReader(path, Map.of(), values));
    }

    /** Reports each key that is not known, with the nearest known key. Returns this reader. */
    public FieldReader only(Collection<String> known) {
        return only(known, key -> "unknown key; " + SpellingSuggestion.hint(key, known));
    }

    /**
     * Reports each key that is not known. Returns this reader.
     *
     * @param unknown function that returns the message for a key which is not known
     */
    public FieldReader only(Collection<String> known, UnaryOperator<String> unknown) {
        nodes.keySet().stream().filter(key -> !known.contains(key)).forEach(key -> wrong(key, unknown.apply(key)));
        return this;
    }

    /** Returns the path of the map; empty for the topmost map. */
    public String path() {
        return path;
    }

    /** Returns the path of a key in this map. */
    public String at(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Returns the keys that have a value, in document order. */
    public List<String> keys() {
        return nodes.keySet().stream().filter(this::has).toList();
    }

    /** Returns whether a key has a value. */
    public boolean has(String key) {
        return node(key).isPresent();
    }

    public Optional<DataNode> node(String key) {
        return Optional.ofNullable(nodes.get(key)).filter(values.words()::counts);
    }

    /** Returns the whole map. */
    public DataNode.Mapping all() {
        return new DataNode.Mapping(nodes);
    }

    /** Returns the text of the whole map in messages. */
    public String shown() {
        return values.words().shown(all());
    }

    public Optional<String> text(String key) {
        return node(key).flatMap(node -> values.text(at(key), node));
    }

    /** Reads a text, or a number as text in decimal notation. */
    public Optional<String> scalar(String key) {
        return node(key).flatMap(node -> values.scalar(at(key), node));
    }

    /** Reads a whole number within 32 bits. */
    public void whole(String key, IntConsumer use) {
        node(key).ifPresent(node -> whole(at(key), node, use));
    }

    private void whole(String place, DataNode node, IntConsumer use) {
        values.whole(place, node, INT_BITS).ifPresent(number -> use.accept((int) number));
    }

    /** Reads a whole number from {@code least} to {@code most}. */
    public void number(String key, long least, long most, LongConsumer use) {
        node(key).ifPresent(node -> {
            OptionalLong number = ValueReader.within(node, LONG_BITS);
            if (number.isPresent() && number.getAsLong() >= least && number.getAsLong() <= most) {
                use.accept(number.getAsLong());
            } else {
                String rule = "a whole number from " + least + " to " + most;
                values.refuse(at(key), node, rule, Long.toString(Math.max(1, least)));
            }
        });
    }

    public OptionalDouble decimal(String key) {
        DataNode node = nodes.get(key);
        if (node instanceof DataNode.Numeral numeral
                && DECIMAL.matcher(numeral.digits()).matches()) {
            return OptionalDouble.of(Double.parseDouble(numeral.digits()));
        }
        if (node != null) {
            values.problems()
                    .accept(at(key) + " must be a number, was " + values.words().shown(node) + "; for example 1.5");
        }
        return OptionalDouble.empty();
    }

    public Optional<Boolean> flag(String key) {
        return node(key).flatMap(node -> values.flag(at(key), node));
    }

    public Optional<Duration> duration(String key) {
        Optional<DataNode> node = node(key);
        Optional<Duration> duration = node.filter(DataNode.Text.class::isInstance)
                .flatMap(text -> DurationText.parse(((DataNode.Text) text).value()));
        if (node.isPresent() && duration.isEmpty()) {
            values.problems()
                    .accept(at(key) + " must be a duration, was "
                            + values.words().shown(node.get()) + "; for example PT2H, 2h or 30s");
        }
        return duration;
    }

    /** Reads an enum constant, which the text names as {@link MessageText#word} does. */
    public <E extends Enum<E>> void word(String key, Class<E> type, Consumer<E> use) {
        node(key).ifPresent(node -> {
            List<String> words = Arrays.stream(type.getEnumConstants())
                    .map(MessageText::word)
                    .toList();
            if (!(node instanceof DataNode.Text text)) {
                values.problems().accept(oneOf(key, words) + values.words().shown(node));
            } else if (words.contains(text.value())) {
                use.accept(type.getEnumConstants()[words.indexOf(text.value())]);
            } else {
                unknownWord(key, text.value(), words);
            }
        });
    }

    /** Reports an unknown word under a key, and suggests the nearest known word. */
    public void unknownWord(String key, String word, List<String> known) {
        String near = SpellingSuggestion.to(word, known)
                .map(nearest -> "; did you mean \"" + nearest + "\"?")
                .orElse("");
        values.problems().accept(oneOf(key, known) + MessageText.quoted(word) + near);
    }

    private String oneOf(String key, List<String> known) {
        return at(key) + " must be one of " + String.join(", ", known) + ", was ";
    }

    /** Reads a map of texts with any keys, and passes each key and text to {@code use}. */
    public void texts(String key, BiConsumer<String, String> use) {
        map(key).ifPresent(fields ->
                fields.keys().forEach(name -> fields.text(name).ifPresent(text -> use.accept(name, text))));
    }

    /** Reads a list, and passes the path and node of each element to {@code use}. */
    public void items(String key, BiConsumer<String, DataNode> use) {
        node(key).ifPresent(node -> values.items(at(key), node, use));
    }

    /**
     * Reads the texts of a list and reports other elements; empty when the key is absent or its value is not a list.
     */
    public Optional<List<String>> words(String key) {
        List<String> words = new ArrayList<>();
        return node(key)
                .filter(node -> values.items(
                        at(key), node, (place, item) -> values.text(place, item).ifPresent(words::add)))
                .map(list -> words);
    }

    /** Reads a list of whole numbers within 32 bits, and passes each to {@code use}. */
    public void wholes(String key, IntConsumer use) {
        items(key, (place, item) -> whole(place, item, use));
    }

    /** Returns a reader of the map under a key, without checking that map's keys. */
    public Optional<FieldReader> map(String key) {
        return node(key).flatMap(node -> map(at(key), node));
    }

    /** Returns a reader of the map that a node is, without checking its keys. */
    public Optional<FieldReader> map(String place, DataNode node) {
        return values.map(place, node);
    }

    /** Returns a reader of the map under a key, and reports each key in that map that is not known. */
    public Optional<FieldReader> fields(String key, Collection<String> known) {
        return map(key).map(fields -> fields.only(known));
    }

    /**
     * Reports a mistake in the value of a key.
     *
     * @param sentence rule that the value breaks
     */
    public void wrong(String key, String sentence) {
        values.problems().accept(at(key) + ": " + sentence);
    }
}
