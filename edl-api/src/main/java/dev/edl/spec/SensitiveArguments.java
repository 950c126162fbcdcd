package dev.edl.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks secrets in the words of a command, for texts for people: the value after a sensitive name and {@code =}, and
 * the word after a flag with such a name.
 *
 * <pre>{@code
 * SensitiveArguments.shown(List.of("train", "--api-key=hf_wJalr", "--password", "hunter2"));
 * // [train, --api-key=***, --password, ***]
 * }</pre>
 *
 * <p>The sensitive names are those of {@link SensitiveEnv}, with dashes and dots as underscores. References to
 * variables such as {@code $HF_TOKEN} are not masked.
 */
public final class SensitiveArguments {
    private static final Pattern FLAG = Pattern.compile("--?([A-Za-z][\\w.-]*)");

    private static final Pattern ASSIGNED_FLAG = Pattern.compile("(?s)(--?)([A-Za-z][\\w.-]*)(=)(.*)");

    /** Matches a name and the value that follows it within a script, such as the word after {@code sh -c}. */
    private static final Pattern IN_SCRIPT =
            Pattern.compile("(?<![\\w$.-])(-{0,2})([A-Za-z][\\w.-]*)(=|\\s+)(\"[^\"]*\"|'[^']*'|[^\\s;&|-][^\\s;&|]*)");

    private static final Pattern REFERENCE = Pattern.compile("[\"']?\\$(\\w+|\\{\\w+}|\\(\\w+\\))[\"']?");

    private SensitiveArguments() {}

    /** Returns the words in their order, with {@link SensitiveEnv#MASK} in place of each secret. */
    public static List<String> shown(List<String> words) {
        List<String> shown = new ArrayList<>();
        String flag = "";
        for (String word : words) {
            Matcher assigned = ASSIGNED_FLAG.matcher(word);
            if (!word.startsWith("-") && secret(flag, word)) {
                shown.add(SensitiveEnv.MASK);
            } else {
                shown.add(assigned.matches() ? masked(assigned) : inScript(word));
            }
            Matcher next = FLAG.matcher(word);
            flag = next.matches() ? next.group(1) : "";
        }
        return shown;
    }

    private static String inScript(String script) {
        return IN_SCRIPT.matcher(script).replaceAll(found -> Matcher.quoteReplacement(masked(found)));
    }

    private static String masked(MatchResult found) {
        boolean names = found.group(3).equals("=") || !found.group(1).isEmpty();
        return names && secret(found.group(2), found.group(4))
                ? found.group(1) + found.group(2) + found.group(3) + SensitiveEnv.MASK
                : found.group();
    }

    private static boolean secret(String name, String value) {
        return SensitiveEnv.isSensitive(name.replaceAll("[.-]", "_"), value)
                && !REFERENCE.matcher(value).matches();
    }
}
