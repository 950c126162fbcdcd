package dev.edl.runtime.optimizers;

import dev.edl.internal.text.SpellingSuggestion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parser of {@code name} or {@code name:key=value,key=value}; every error message contains the text. */
final class SettingsParser {
    private final String kind;
    private final String text;
    private final String name;
    private final Map<String, String> settings = new LinkedHashMap<>();

    /**
     * Parses a text.
     *
     * @param kind noun for the parsed thing in messages, for example {@code optimizer}
     * @param known known names, and the setting keys of each
     */
    SettingsParser(String kind, String text, Map<String, List<String>> known) {
        this.kind = kind;
        this.text = text;
        int colon = text.indexOf(':');
        this.name = (colon < 0 ? text : text.substring(0, colon)).strip();
        List<String> keys = known.get(name);
        if (keys == null) {
            throw mistake(
                    "\"" + name + "\" is not a known " + kind + "; " + SpellingSuggestion.hint(name, known.keySet()));
        }
        if (colon >= 0) {
            read(text.substring(colon + 1), keys);
        }
    }

    private void read(String list, List<String> keys) {
        for (String setting : list.split(",", -1)) {
            int equals = setting.indexOf('=');
            if (equals < 0) {
                throw mistake("each setting must be key=value, was \"" + setting + "\"; for example " + name + ":"
                        + keys.get(0) + "=0.01");
            }
            String key = setting.substring(0, equals).strip();
            if (!keys.contains(key)) {
                throw mistake(name + " has no setting \"" + key + "\"; " + SpellingSuggestion.hint(key, keys));
            }
            if (settings.put(key, setting.substring(equals + 1).strip()) != null) {
                throw mistake(key + " is given twice");
            }
        }
    }

    String name() {
        return name;
    }

    /** Returns the text of a required setting. */
    String need(String key) {
        String value = settings.get(key);
        if (value == null) {
            throw mistake(name + " needs the setting " + key);
        }
        return value;
    }

    float number(String key, float otherwise) {
        String value = settings.get(key);
        return value == null ? otherwise : Float.parseFloat(requireNumber(key, value));
    }

    double number(String key, @Nullable Double otherwise) {
        String value = settings.get(key);
        return value == null && otherwise != null ? otherwise : parse(key, need(key));
    }

    double parse(String key, String value) {
        return Double.parseDouble(requireNumber(key, value));
    }

    private String requireNumber(String key, String value) {
        try {
            Double.parseDouble(value);
            return value;
        } catch (NumberFormatException e) {
            throw mistake(key + " must be a number, was \"" + value + "\"; for example " + key + "=0.01");
        }
    }

    long whole(String key) {
        return parseWhole(key, need(key));
    }

    long parseWhole(String key, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw mistake(key + " must be a whole number, was \"" + value + "\"; for example " + key + "=1000");
        }
    }

    boolean flag(String key) {
        String value = settings.getOrDefault(key, "false");
        if (!value.equals("true") && !value.equals("false")) {
            throw mistake(key + " must be true or false, was \"" + value + "\"");
        }
        return value.equals("true");
    }

    /**
     * Returns an exception whose message contains the text and the mistake; an exception of this parser is returned
     * unchanged.
     */
    IllegalArgumentException mistake(IllegalArgumentException cause) {
        return cause instanceof MistakeException ? cause : mistake(String.valueOf(cause.getMessage()));
    }

    private MistakeException mistake(String what) {
        return new MistakeException(kind + " \"" + text + "\": " + what);
    }

    /** Exception whose message already contains the parsed text. */
    private static final class MistakeException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        MistakeException(String message) {
            super(message);
        }
    }
}
