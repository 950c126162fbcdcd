package dev.edl;

import java.util.List;
import java.util.Map;

/** A piece of a JSON or YAML text. */
sealed interface Node {
    /** A value for a message: {@code "four"}, {@code the number 4}, {@code a list}. */
    String described();

    /** Named pieces, in the order written. */
    record Fields(Map<String, Node> nodes) implements Node {
        @Override
        public String described() {
            return "a map";
        }
    }

    /** Pieces in order. */
    record Items(List<Node> nodes) implements Node {
        @Override
        public String described() {
            return "a list";
        }
    }

    /** A text, quoted or not. */
    record Text(String value) implements Node {
        @Override
        public String described() {
            return TemplateRules.quoted(value);
        }
    }

    /**
     * A number.
     *
     * @param digits as written
     */
    record Numeral(String digits) implements Node {
        static Numeral of(long number) {
            return new Numeral(Long.toString(number));
        }

        @Override
        public String described() {
            return "the number " + digits;
        }
    }

    /**
     * True or false.
     *
     * @param source the word as written: YAML takes {@code yes} and {@code no} for one of them
     */
    record Flag(boolean value, String source) implements Node {
        Flag(boolean value) {
            this(value, Boolean.toString(value));
        }

        @Override
        public String described() {
            return source.equals(Boolean.toString(value)) ? source : source + ", which YAML reads as " + value;
        }
    }

    /** Nothing: JSON's null, or a YAML key without a value. */
    record Nothing() implements Node {
        @Override
        public String described() {
            return "nothing";
        }
    }
}
