package dev.edl.spec;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Detects by its name whether an environment variable holds a secret, and masks its value in texts for people.
 *
 * <pre>{@code
 * SensitiveEnv.isSensitive("AWS_SECRET_ACCESS_KEY");        // true
 * SensitiveEnv.isSensitive("TOKENIZERS_PARALLELISM");       // false
 * SensitiveEnv.shown("AWS_SECRET_ACCESS_KEY", "wJalrXUt");  // ***
 * }</pre>
 *
 * <p>Names are split at underscores, without regard to case. A name is sensitive when one of its words is {@code KEY},
 * {@code APIKEY}, {@code SECRET}, {@code TOKEN}, {@code PASSWORD}, {@code PASSWD}, {@code PASSPHRASE},
 * {@code CREDENTIAL} or a plural of these. A name that ends with {@code FILE}, {@code PATH}, {@code DIR} or
 * {@code NAME} refers to a location and is not sensitive; neither is {@code GOOGLE_APPLICATION_CREDENTIALS}. Empty
 * values, numbers, {@code true} and {@code false} are never masked.
 */
public final class SensitiveEnv {
    /** Text in place of a masked value. */
    public static final String MASK = "***";

    private static final Set<String> WORDS =
            Set.of("KEY", "APIKEY", "SECRET", "TOKEN", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL");

    private static final Set<String> PLACES = Set.of("FILE", "PATH", "DIR", "NAME");

    private static final String GOOGLE = "GOOGLE_APPLICATION_CREDENTIALS";

    private SensitiveEnv() {}

    /** Returns whether a variable with this name holds a secret, as the rules above decide. */
    public static boolean isSensitive(String name) {
        String[] words = name.toUpperCase(Locale.ROOT).split("_");
        if (words.length == 0 || PLACES.contains(words[words.length - 1]) || name.equals(GOOGLE)) {
            return false;
        }
        return Arrays.stream(words)
                .anyMatch(word -> WORDS.contains(word)
                        || (word.endsWith("S") && WORDS.contains(word.substring(0, word.length() - 1))));
    }

    /**
     * Returns whether a variable has a sensitive name and a value that must be masked; false for an empty value, a
     * number, {@code true} and {@code false}.
     */
    public static boolean isSensitive(String name, String value) {
        return isSensitive(name) && !value.matches("|[-+]?\\d{1,9}(\\.\\d{1,9})?|(?i:true|false)");
    }

    /** Returns the value, or {@link #MASK} if {@link #isSensitive(String, String)} returns true. */
    public static String shown(String name, String value) {
        return isSensitive(name, value) ? MASK : value;
    }

    /** Returns the variables sorted by name, with {@link #MASK} for the value of each secret. */
    public static Map<String, String> shown(Map<String, String> variables) {
        Map<String, String> shown = new TreeMap<>();
        variables.forEach((name, value) -> shown.put(name, shown(name, value)));
        return shown;
    }
}
