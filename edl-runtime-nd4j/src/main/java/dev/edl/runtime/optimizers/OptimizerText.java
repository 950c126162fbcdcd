package dev.edl.runtime.optimizers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parser of the text form of optimizers: {@code name} or {@code name:key=value,key=value}. */
final class OptimizerText {
    private static final Map<String, List<String>> KNOWN = new LinkedHashMap<>();

    static {
        KNOWN.put("sgd", List.of("learning_rate", "momentum", "nesterov"));
        KNOWN.put("adam", List.of("learning_rate", "beta_1", "beta_2", "epsilon", "amsgrad"));
        KNOWN.put("adagrad", List.of("learning_rate", "epsilon"));
    }

    private OptimizerText() {}

    static Optimizer parse(String text) {
        SettingsParser s = new SettingsParser("optimizer", text, KNOWN);
        try {
            return switch (s.name()) {
                case "sgd" ->
                    new Sgd(s.number("learning_rate", Sgd.LEARNING_RATE), s.number("momentum", 0f), s.flag("nesterov"));
                case "adam" ->
                    new Adam(
                            s.number("learning_rate", Adam.LEARNING_RATE),
                            s.number("beta_1", Adam.BETA_1),
                            s.number("beta_2", Adam.BETA_2),
                            s.number("epsilon", Adam.EPSILON),
                            s.flag("amsgrad"));
                default ->
                    new Adagrad(s.number("learning_rate", Adagrad.LEARNING_RATE), s.number("epsilon", Adagrad.EPSILON));
            };
        } catch (IllegalArgumentException e) {
            throw s.mistake(e);
        }
    }
}
