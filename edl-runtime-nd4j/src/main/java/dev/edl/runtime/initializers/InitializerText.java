package dev.edl.runtime.initializers;

import dev.edl.internal.text.SpellingSuggestion;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parser of the text form of initializers: {@code name} or {@code name:key=value,key=value}. */
final class InitializerText {
    private static final Map<String, List<String>> KNOWN = new LinkedHashMap<>();

    static {
        KNOWN.put("zeros", List.of());
        KNOWN.put("ones", List.of());
        KNOWN.put("constant", List.of("value"));
        KNOWN.put("uniform", List.of("minval", "maxval"));
        KNOWN.put("normal", List.of("mean", "stddev"));
        KNOWN.put("truncated_normal", List.of("mean", "stddev"));
        KNOWN.put("variance_scaling", List.of("scale", "mode", "distribution"));
        KNOWN.put("glorot_uniform", List.of());
        KNOWN.put("glorot_normal", List.of());
        KNOWN.put("he_uniform", List.of());
        KNOWN.put("he_normal", List.of());
        KNOWN.put("lecun_uniform", List.of());
        KNOWN.put("lecun_normal", List.of());
    }

    /** Names that Keras now uses for two of the initializers, mapped to the names here. */
    private static final Map<String, String> ALIASES = Map.of("random_uniform", "uniform", "random_normal", "normal");

    private final String text;
    private final String name;
    private final Map<String, String> settings = new HashMap<>();

    private InitializerText(String text) {
        this.text = text;
        int colon = text.indexOf(':');
        String word = (colon < 0 ? text : text.substring(0, colon)).strip();
        this.name = ALIASES.getOrDefault(word, word);
        if (name.equals("orthogonal") || name.equals("identity")) {
            throw mistake(name + " needs a matrix, and a row of an embedding table is a vector; for example uniform");
        }
        if (!KNOWN.containsKey(name)) {
            throw mistake(
                    "\"" + word + "\" is not a known initializer; " + SpellingSuggestion.hint(word, KNOWN.keySet()));
        }
        if (colon >= 0) {
            read(text.substring(colon + 1));
        }
    }

    static Initializer parse(String text) {
        return new InitializerText(text).parse();
    }

    private void read(String list) {
        List<String> keys = KNOWN.getOrDefault(name, List.of());
        if (keys.isEmpty()) {
            throw mistake(name + " has no settings");
        }
        for (String setting : list.split(",", -1)) {
            int equals = setting.indexOf('=');
            if (equals < 0) {
                throw mistake("each setting must be key=value, was \"" + setting + "\"; for example " + name + ":"
                        + keys.get(0) + "=0.5");
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

    private Initializer parse() {
        float scaleOrDefault = number("scale", 1);
        float mean = number("mean", 0);
        float stddev = number("stddev", Initializer.STDDEV);
        float value = number("value", 0);
        float minval = number("minval", -Initializer.LIMIT);
        float maxval = number("maxval", Initializer.LIMIT);
        try {
            return switch (name) {
                case "zeros" -> Initializer.zeros();
                case "ones" -> Initializer.ones();
                case "constant" -> Initializer.constant(value);
                case "uniform" -> Initializer.uniform(minval, maxval);
                case "normal" -> Initializer.normal(mean, stddev);
                case "truncated_normal" -> Initializer.truncatedNormal(mean, stddev);
                case "glorot_uniform" -> Initializer.glorotUniform();
                case "glorot_normal" -> Initializer.glorotNormal();
                case "he_uniform" -> Initializer.heUniform();
                case "he_normal" -> Initializer.heNormal();
                case "lecun_uniform" -> Initializer.lecunUniform();
                case "lecun_normal" -> Initializer.lecunNormal();
                default ->
                    Initializer.varianceScaling(
                            scaleOrDefault,
                            settings.getOrDefault("mode", VarianceScaling.MODES.get(0)),
                            settings.getOrDefault("distribution", VarianceScaling.DISTRIBUTIONS.get(0)));
            };
        } catch (IllegalArgumentException e) {
            throw mistake(String.valueOf(e.getMessage()));
        }
    }

    private float number(String key, float otherwise) {
        String value = settings.get(key);
        if (value == null) {
            return otherwise;
        }
        try {
            return Float.parseFloat(value);
        } catch (NumberFormatException e) {
            throw mistake(key + " must be a number, was \"" + value + "\"; for example " + key + "=0.5");
        }
    }

    private IllegalArgumentException mistake(String what) {
        return new IllegalArgumentException("initializer \"" + text + "\": " + what);
    }
}
