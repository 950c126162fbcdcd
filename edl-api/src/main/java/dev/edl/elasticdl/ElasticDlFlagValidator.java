package dev.edl.elasticdl;

import dev.edl.internal.text.MessageText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Checks the value of an ElasticDL flag and normalizes it. */
final class ElasticDlFlagValidator {
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");
    private static final Pattern SYMBOL = Pattern.compile("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)+");
    private static final Pattern PARAMETER = Pattern.compile("\\s*[A-Za-z_]\\w*\\s*=.*", Pattern.DOTALL);
    private static final Pattern CRITICAL = Pattern.compile("default|none|\\d+:\\d+(,\\d+:\\d+)*");
    private static final List<String> TRUE = List.of("true", "yes", "t", "y");
    private static final List<String> FALSE = List.of("false", "no", "f", "n");

    private ElasticDlFlagValidator() {}

    /** Returns the normalized value, or the value as it is after a mistake, which is passed to {@code problems}. */
    static String normalize(ElasticDlFlag flag, ElasticDlVersion version, String value, Consumer<String> problems) {
        String quoted = MessageText.quoted(value);
        if (version != ElasticDlVersion.MARCH_2020 && value.contains("'")) {
            problems.accept(flag + " must not hold a single quote, which ElasticDL puts around each value in the"
                    + " master's command line, was " + quoted);
            return value;
        }
        if (value.isEmpty() && flag.defaults().getOrDefault(version, "").isEmpty() && !flag.ofJob()) {
            return value;
        }
        switch (flag.kind()) {
            case TEXT -> {}
            case NUMBER -> number(flag, value, quoted, problems);
            case TRUTH -> {
                String word = value.toLowerCase(Locale.ROOT);
                if (TRUE.contains(word) || FALSE.contains(word)) {
                    return Boolean.toString(TRUE.contains(word));
                }
                problems.accept(flag + " must be true or false, was " + quoted
                        + ", which ElasticDL reads as false; for example " + flag + "=true");
            }
            case WORD -> {
                String word = flag.name().equals("log_level") ? value.toUpperCase(Locale.ROOT) : value;
                if (flag.choices().contains(word)) {
                    return word;
                }
                problems.accept(flag + " must be "
                        + String.join(
                                ", ",
                                flag.choices().stream()
                                        .filter(choice -> !choice.isEmpty())
                                        .toList())
                        + ", was " + quoted);
            }
            case PARAMETERS -> parameters(flag, value, problems);
            case SYMBOL -> {
                if (!SYMBOL.matcher(value).matches()) {
                    problems.accept(flag + " must name a function or class in a file of the model zoo, was " + quoted
                            + "; for example " + flag + "=mnist_functional_api.mnist_functional_api.custom_model");
                }
            }
            case RESOURCES -> {
                // Without limits the requests apply, so requests are required.
                if (!value.isEmpty() || flag.name().endsWith("_request")) {
                    ElasticDlResources.check(version, value, problem -> problems.accept(flag + ": " + problem));
                }
            }
            case CRITICAL_WORKERS -> {
                if (!CRITICAL.matcher(value).matches()) {
                    problems.accept(flag + " must be default, none, or pairs of an index and a number of relaunches,"
                            + " was " + quoted + "; for example " + flag + "=0:1,2:3");
                }
            }
        }
        return value;
    }

    private static void number(ElasticDlFlag flag, String value, String quoted, Consumer<String> problems) {
        if (!NUMBER.matcher(value).matches()) {
            problems.accept(flag + " must be a whole number, was " + quoted + "; for example " + flag + "="
                    + Math.max(1, flag.hasLeast() ? flag.least() : 1));
        } else if (flag.hasLeast() && Integer.parseInt(value) < flag.least()) {
            problems.accept(flag + " must be at least " + flag.least() + ", was " + value);
        }
    }

    private static void parameters(ElasticDlFlag flag, String value, Consumer<String> problems) {
        List<String> wrong = new ArrayList<>();
        for (String part : value.split(";", -1)) {
            if (!part.isBlank() && !PARAMETER.matcher(part).matches()) {
                wrong.add(part.strip());
            }
        }
        for (String part : wrong) {
            problems.accept(flag + ": " + MessageText.quoted(part) + " must have the form name=value; for example "
                    + flag + "=\"a=1; b=2\"");
        }
    }
}
