package dev.edl.elasticdl;

import dev.edl.internal.text.MessageText;
import dev.edl.spec.SensitiveEnv;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * ElasticDL's grammar of environment variables, {@code A=1,B=x,y,C=2}. A value may contain commas, because it ends only
 * at the last comma before the next equals sign. It cannot contain an equals sign.
 */
final class ElasticDlEnvs {
    private ElasticDlEnvs() {}

    /** Parses the grammar; passes each mistake to {@code problems}. */
    static Map<String, String> read(String text, Consumer<String> problems) {
        Map<String, String> variables = new LinkedHashMap<>();
        if (text.isEmpty()) {
            return variables;
        }
        String[] parts = text.split("=", -1);
        if (parts.length == 1) {
            problems.accept("--envs must be variables as name=value, separated by commas, was "
                    + MessageText.quoted(text) + "; for example --envs=A=1,B=2");
        }
        String name = parts[0];
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i];
            int comma = part.lastIndexOf(',');
            boolean last = i == parts.length - 1;
            if (!last && comma < 0) {
                problems.accept("--envs: the value of " + name
                        + " must not hold an equals sign, at which ElasticDL splits it, was "
                        + MessageText.quoted(part + "=…"));
                return variables;
            }
            String value = last ? part : part.substring(0, comma);
            if (variables.put(name, value) != null) {
                problems.accept("--envs: " + name + " is given twice; give each variable once");
            }
            name = last ? "" : part.substring(comma + 1);
        }
        return variables;
    }

    /**
     * Returns the variables in the grammar; passes a mistake to {@code problems} for each value with an equals sign.
     */
    static String write(Map<String, String> variables, Consumer<String> problems) {
        variables.forEach((name, value) -> {
            if (value.contains("=")) {
                problems.accept("env." + name + " must not hold an equals sign, at which ElasticDL splits it, was "
                        + MessageText.quoted(SensitiveEnv.shown(name, value)));
            }
        });
        return variables.entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .collect(Collectors.joining(","));
    }
}
