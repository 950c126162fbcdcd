package dev.edl.runtime.ps;

import dev.edl.spec.Nearest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The textual form of optimizers: {@code name} or {@code name:key=value,key=value}. */
final class OptimizerText {
    private static final List<String> NAMES = List.of("sgd", "adam", "adagrad");
    private static final List<String> SGD_KEYS = List.of("learning_rate", "momentum", "nesterov");
    private static final List<String> ADAM_KEYS = List.of("learning_rate", "beta_1", "beta_2", "epsilon", "amsgrad");
    private static final List<String> ADAGRAD_KEYS = List.of("learning_rate", "epsilon");

    private final String text;
    private final Map<String, String> settings = new LinkedHashMap<>();

    private OptimizerText(String text) {
        this.text = text;
    }

    static Optimizer parse(String text) {
        return new OptimizerText(text).parse();
    }

    private Optimizer parse() {
        int colon = text.indexOf(':');
        String name = (colon < 0 ? text : text.substring(0, colon)).strip();
        if (!NAMES.contains(name)) {
            throw mistake("\"" + name + "\" is no known optimizer; " + Nearest.hint(name, NAMES));
        }
        if (colon >= 0) {
            settings(name, text.substring(colon + 1), keys(name));
        }
        try {
            return switch (name) {
                case "sgd" ->
                    new Sgd(number("learning_rate", Sgd.LEARNING_RATE), number("momentum", 0), flag("nesterov"));
                case "adam" ->
                    new Adam(
                            number("learning_rate", Adam.LEARNING_RATE),
                            number("beta_1", Adam.BETA_1),
                            number("beta_2", Adam.BETA_2),
                            number("epsilon", Adam.EPSILON),
                            flag("amsgrad"));
                default ->
                    new Adagrad(number("learning_rate", Adagrad.LEARNING_RATE), number("epsilon", Adagrad.EPSILON));
            };
        } catch (MistakeException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new MistakeException("optimizer \"" + text + "\": " + e.getMessage());
        }
    }

    private static List<String> keys(String name) {
        return switch (name) {
            case "sgd" -> SGD_KEYS;
            case "adam" -> ADAM_KEYS;
            default -> ADAGRAD_KEYS;
        };
    }

    private void settings(String name, String list, List<String> known) {
        for (String setting : list.split(",", -1)) {
            int equals = setting.indexOf('=');
            if (equals < 0) {
                throw mistake("each setting must be key=value, was \"" + setting + "\"; for example " + name + ":"
                        + known.get(0) + "=0.01");
            }
            String key = setting.substring(0, equals).strip();
            if (!known.contains(key)) {
                throw mistake(name + " has no setting \"" + key + "\"; " + Nearest.hint(key, known));
            }
            if (settings.put(key, setting.substring(equals + 1).strip()) != null) {
                throw mistake(key + " is given twice");
            }
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
            throw mistake(key + " must be a number, was \"" + value + "\"; for example " + key + "=0.01");
        }
    }

    private boolean flag(String key) {
        String value = settings.getOrDefault(key, "false");
        if (!value.equals("true") && !value.equals("false")) {
            throw mistake(key + " must be true or false, was \"" + value + "\"");
        }
        return value.equals("true");
    }

    private MistakeException mistake(String what) {
        return new MistakeException("optimizer \"" + text + "\": " + what);
    }

    /** A message that names the text already. */
    private static final class MistakeException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        MistakeException(String message) {
            super(message);
        }
    }
}
