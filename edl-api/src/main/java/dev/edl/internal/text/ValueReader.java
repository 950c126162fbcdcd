package dev.edl.internal.text;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Converts nodes of a tree to typed values. For a node of another type, reports a mistake with the path, and returns an
 * empty value.
 *
 * @param words dialect of the messages
 * @param problems receiver of each mistake
 */
public record ValueReader(FieldReaderSettings words, Consumer<String> problems) {
    /** Reads a text. */
    public Optional<String> text(String place, DataNode node) {
        if (node instanceof DataNode.Text text) {
            return Optional.of(text.value());
        }
        problems.accept(place + " must be text, was " + words.shown(node) + words.asText(node));
        return Optional.empty();
    }

    /** Reads a text, or a number as text in decimal notation. */
    public Optional<String> scalar(String place, DataNode node) {
        return node instanceof DataNode.Numeral numeral ? Optional.of(numeral.digits()) : text(place, node);
    }

    /**
     * Reads a whole number that fits into a signed integer.
     *
     * @param bits number of bits of that integer, 32 or 64
     */
    public OptionalLong whole(String place, DataNode node, int bits) {
        OptionalLong number = within(node, bits);
        if (number.isEmpty()) {
            problems.accept(
                    isWhole(node)
                            ? place + " must lie within " + bits + " bits, was " + words.shown(node)
                            : place + " must be a whole number, was " + words.shown(node) + "; for example 4");
        }
        return number;
    }

    /** Returns whether a value is a whole number in any notation: {@code 4}, {@code 4.0} or {@code 4e0}. */
    public static boolean isWhole(DataNode node) {
        return node instanceof DataNode.Numeral numeral && numeral.whole().isPresent();
    }

    /**
     * Returns the whole number that a node holds; empty, without a mistake, for any other value and for a number of
     * more bits.
     */
    static OptionalLong within(DataNode node, int bits) {
        return node instanceof DataNode.Numeral numeral
                ? numeral.whole()
                        .filter(number -> number.bitLength() < bits)
                        .map(number -> OptionalLong.of(number.longValue()))
                        .orElse(OptionalLong.empty())
                : OptionalLong.empty();
    }

    /** Reads true or false. */
    public Optional<Boolean> flag(String place, DataNode node) {
        if (node instanceof DataNode.BooleanValue flag) {
            return Optional.of(flag.value());
        }
        refuse(place, node, "true or false", "true");
        return Optional.empty();
    }

    /** Returns a reader of a map, without checking its keys. */
    public Optional<FieldReader> map(String place, DataNode node) {
        if (node instanceof DataNode.Mapping mapping) {
            return Optional.of(new FieldReader(place, mapping.nodes(), this));
        }
        refuse(place, node, "a map", "{name: value}");
        return Optional.empty();
    }

    /**
     * Reads a list.
     *
     * @param use receiver of each element's path and node
     * @return whether the node is a list; if not, a mistake is reported
     */
    public boolean items(String place, DataNode node, BiConsumer<String, DataNode> use) {
        if (node instanceof DataNode.Sequence sequence) {
            for (int i = 0; i < sequence.nodes().size(); i++) {
                use.accept(place + "[" + i + "]", sequence.nodes().get(i));
            }
            return true;
        }
        refuse(place, node, "a list", "[" + words.shown(node) + "]");
        return false;
    }

    /** Reports that a value breaks a rule, with a valid form if the dialect shows one. */
    public void refuse(String place, DataNode node, String rule, String form) {
        problems.accept(place + " must be " + rule + ", was " + words.shown(node) + words.example(form));
    }
}
