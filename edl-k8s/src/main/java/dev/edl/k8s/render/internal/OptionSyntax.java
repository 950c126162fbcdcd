package dev.edl.k8s.render.internal;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/** Checks the forms that Kubernetes requires of option values; a refusal has an example. */
public final class OptionSyntax {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern LABEL_ALONE = Pattern.compile(LABEL);
    private static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private OptionSyntax() {}

    /** Returns a non-null value, for callers without null checks. */
    public static <T> T given(String what, T value) {
        return Objects.requireNonNull(value, () -> what + " must not be null");
    }

    /** Checks the name of an object: a DNS subdomain of at most 253 characters. */
    public static String name(String what, String name, String example) {
        if (given(what, name).length() > 253 || !SUBDOMAIN.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " must be a DNS subdomain of at most 253 characters, was \""
                    + name + "\"; for example " + example);
        }
        return name;
    }

    /** Checks the name of a part of a pod: a DNS label of at most 63 characters. */
    public static String label(String what, String name, String example) {
        if (!isLabel(given(what, name))) {
            throw new IllegalArgumentException(what + " must be a DNS label of at most 63 characters, was \"" + name
                    + "\"; for example " + example);
        }
        return name;
    }

    static boolean isLabel(String name) {
        return name.length() <= 63 && LABEL_ALONE.matcher(name).matches();
    }

    /**
     * Returns a DNS label derived from another text, such as a path. It is not unique.
     *
     * @param prefix a DNS label
     */
    public static String labelOf(String prefix, String text) {
        String label = prefix + "-" + text.toLowerCase(Locale.ROOT);
        String words = label.replaceAll("[^a-z0-9]+", "-");
        return words.substring(0, Math.min(63, words.length())).replaceAll("-$", "");
    }

    /** Checks the key of a label, annotation or resource: {@code name} or {@code domain/name}. */
    public static String key(String what, String key, String example) {
        if (!isKey(given(what, key))) {
            throw new IllegalArgumentException(
                    what + " must have the form name or domain/name, was \"" + key + "\"; for example " + example);
        }
        return key;
    }

    static boolean isKey(String key) {
        int slash = key.indexOf('/');
        String domain = slash < 0 ? "x" : key.substring(0, slash);
        String name = key.substring(slash + 1);
        return domain.length() <= 253
                && name.length() <= 63
                && SUBDOMAIN.matcher(domain).matches()
                && WORD.matcher(name).matches();
    }

    /** Checks the value of a label: empty, or a word of at most 63 characters. */
    public static String labelValue(String what, String value, String example) {
        if (!isLabelValue(given(what, value))) {
            throw new IllegalArgumentException(what
                    + " must be at most 63 letters, digits, dashes, dots and underscores, first and last a letter or"
                    + " digit, was \"" + value + "\"; for example " + example);
        }
        return value;
    }

    static boolean isLabelValue(String value) {
        return value.isEmpty() || (value.length() <= 63 && WORD.matcher(value).matches());
    }

    /** Checks a data key of a Secret or ConfigMap. */
    public static String dataKey(String key, String example) {
        if (given("a key of a Secret", key).length() > 253 || !key.matches("[-._A-Za-z0-9]+")) {
            throw new IllegalArgumentException(
                    "a key of a Secret must be at most 253 letters, digits, dashes, dots and underscores, was \"" + key
                            + "\"; for example " + example);
        }
        return key;
    }

    /** Checks the name of an environment variable. */
    public static String variable(String name, String example) {
        if (!VARIABLE.matcher(given("a variable", name)).matches()) {
            throw new IllegalArgumentException(
                    "a variable must be letters, digits and underscores, first no digit, was \"" + name
                            + "\"; for example " + example);
        }
        return name;
    }

    /** Checks an absolute path within a container or a node, and removes slashes at its end. */
    public static String path(String what, String path, String example) {
        if (!given(what, path).startsWith("/")
                || path.contains(":")
                || List.of(path.split("/", -1)).contains("..")) {
            throw new IllegalArgumentException(
                    what + " must be absolute, without : and .., was \"" + path + "\"; for example " + example);
        }
        String without = path.replaceAll("/+$", "");
        return without.isEmpty() ? "/" : without;
    }
}
