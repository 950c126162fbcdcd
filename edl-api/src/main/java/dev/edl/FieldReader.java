package dev.edl;

import dev.edl.spec.Nearest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Reads the named pieces of a text, each with the type that it must have; what is wrong goes to the problems. */
final class FieldReader {
    private static final Pattern WHOLE = Pattern.compile("-?(?:0|[1-9]\\d*)");
    private static final Pattern DECIMAL = Pattern.compile("-?(?:0|[1-9]\\d{0,400})(?:\\.\\d{1,400})?");

    private final String path;
    private final Map<String, Node> nodes;
    private final Consumer<String> problems;

    private FieldReader(String path, Map<String, Node> nodes, Consumer<String> problems) {
        this.path = path;
        this.nodes = nodes;
        this.problems = problems;
    }

    /** Of a piece that must be a map with known keys; a map without entries when it is none. */
    static FieldReader of(String path, Node node, List<String> known, Consumer<String> problems) {
        return of(path, node, known, key -> "unknown key; " + Nearest.hint(key, known), problems);
    }

    /** The same, with what is to be said of an unknown key. */
    static FieldReader of(
            String path, Node node, List<String> known, UnaryOperator<String> unknown, Consumer<String> problems) {
        if (!(node instanceof Node.Fields fields)) {
            problems.accept(path + " must be a map, was " + node.described());
            return new FieldReader(path, Map.of(), problems);
        }
        FieldReader reader = new FieldReader(path, fields.nodes(), problems);
        for (String key : fields.nodes().keySet()) {
            if (!known.contains(key)) {
                problems.accept(reader.at(key) + ": " + unknown.apply(key));
            }
        }
        return reader;
    }

    /** The path of a key. */
    String at(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    Optional<Node> node(String key) {
        return Optional.ofNullable(nodes.get(key));
    }

    void text(String key, Consumer<String> use) {
        node(key).ifPresent(node -> text(at(key), node, use));
    }

    private void text(String place, Node node, Consumer<String> use) {
        if (node instanceof Node.Text text) {
            use.accept(text.value());
        } else if (node instanceof Node.Numeral numeral) {
            unquoted(place, node, numeral.digits());
        } else if (node instanceof Node.Flag flag) {
            unquoted(place, node, flag.source());
        } else {
            problems.accept(place + " must be text, was " + node.described());
        }
    }

    private void unquoted(String place, Node node, String source) {
        problems.accept(place + " must be text, was " + node.described() + "; for example \"" + source + "\"");
    }

    /** A text, or a number as the text that it was written with. */
    void scalar(String key, Consumer<String> use) {
        node(key).ifPresent(node -> {
            if (node instanceof Node.Numeral numeral) {
                use.accept(numeral.digits());
            } else {
                text(at(key), node, use);
            }
        });
    }

    void whole(String key, IntConsumer use) {
        node(key).ifPresent(node -> whole(at(key), node, use));
    }

    private void whole(String place, Node node, IntConsumer use) {
        if (node instanceof Node.Numeral numeral
                && WHOLE.matcher(numeral.digits()).matches()) {
            try {
                use.accept(Integer.parseInt(numeral.digits()));
                return;
            } catch (NumberFormatException e) {
                problems.accept(place + " must lie within 32 bits, was " + node.described());
                return;
            }
        }
        problems.accept(place + " must be a whole number, was " + node.described() + "; for example 4");
    }

    OptionalDouble decimal(String key) {
        Node node = nodes.get(key);
        if (node instanceof Node.Numeral numeral
                && DECIMAL.matcher(numeral.digits()).matches()) {
            return OptionalDouble.of(Double.parseDouble(numeral.digits()));
        }
        if (node != null) {
            problems.accept(at(key) + " must be a number, was " + node.described() + "; for example 1.5");
        }
        return OptionalDouble.empty();
    }

    void flag(String key, Consumer<Boolean> use) {
        node(key).ifPresent(node -> {
            if (node instanceof Node.Flag flag) {
                use.accept(flag.value());
            } else {
                problems.accept(at(key) + " must be true or false, was " + node.described());
            }
        });
    }

    Optional<Duration> duration(String key) {
        Node node = nodes.get(key);
        Optional<Duration> duration =
                node instanceof Node.Text text ? DurationText.parse(text.value()) : Optional.empty();
        if (node != null && duration.isEmpty()) {
            problems.accept(at(key) + " must be a duration, was " + node.described() + "; for example PT2H, 2h or 30s");
        }
        return duration;
    }

    <E extends Enum<E>> void word(String key, Class<E> type, Consumer<E> use) {
        node(key).ifPresent(node -> {
            List<String> words =
                    Arrays.stream(type.getEnumConstants()).map(JobRules::word).toList();
            int index = node instanceof Node.Text text ? words.indexOf(text.value()) : -1;
            if (index >= 0) {
                use.accept(type.getEnumConstants()[index]);
            } else if (node instanceof Node.Text text) {
                problems.accept(at(key) + " must be one of " + String.join(", ", words) + ", was " + node.described()
                        + Nearest.to(text.value(), words)
                                .map(near -> "; did you mean \"" + near + "\"?")
                                .orElse(""));
            } else {
                problems.accept(at(key) + " must be one of " + String.join(", ", words) + ", was " + node.described());
            }
        });
    }

    /** A map of texts, under any keys. */
    void texts(String key, BiConsumer<String, String> use) {
        node(key).ifPresent(node -> {
            if (node instanceof Node.Fields fields) {
                fields.nodes().forEach((name, value) -> text(at(key) + "." + name, value, t -> use.accept(name, t)));
            } else {
                problems.accept(at(key) + " must be a map, was " + node.described());
            }
        });
    }

    /** A list of pieces, each with its path. */
    void items(String key, BiConsumer<String, Node> use) {
        node(key).ifPresent(node -> {
            if (node instanceof Node.Items items) {
                for (int i = 0; i < items.nodes().size(); i++) {
                    use.accept(at(key) + "[" + i + "]", items.nodes().get(i));
                }
            } else {
                problems.accept(at(key) + " must be a list, was " + node.described());
            }
        });
    }

    /** A list of texts; nothing when one of them is none. */
    void words(String key, Consumer<List<String>> use) {
        List<String> words = new ArrayList<>();
        items(key, (place, item) -> text(place, item, words::add));
        node(key)
                .filter(node ->
                        node instanceof Node.Items items && items.nodes().size() == words.size())
                .ifPresent(node -> use.accept(words));
    }

    /** A list of whole numbers. */
    void wholes(String key, IntConsumer use) {
        items(key, (place, item) -> whole(place, item, use));
    }

    /** A map with known keys. */
    void fields(String key, List<String> known, Consumer<FieldReader> use) {
        node(key).ifPresent(node -> {
            if (node instanceof Node.Fields) {
                use.accept(of(at(key), node, known, problems));
            } else {
                problems.accept(at(key) + " must be a map, was " + node.described());
            }
        });
    }

    /** Takes a mistake at a key. */
    void wrong(String key, String sentence) {
        problems.accept(at(key) + ": " + sentence);
    }

    /** Whether a key is there. */
    boolean has(String key) {
        return nodes.containsKey(key);
    }

    /** The keys, in the order written. */
    Iterable<String> keys() {
        return nodes.keySet();
    }
}
