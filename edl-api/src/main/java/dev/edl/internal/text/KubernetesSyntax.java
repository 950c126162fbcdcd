package dev.edl.internal.text;

import java.util.regex.Pattern;

/** Kubernetes' syntax of names, labels and environment variables. */
public final class KubernetesSyntax {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern DNS_1035 = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern DNS_1123 = Pattern.compile(LABEL);
    private static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    /** Grammar of the distribution project's package "reference", with a digest of any length. */
    private static final Pattern IMAGE = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9.]*(:[0-9]{1,5})?/)?"
            + "[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*"
            + "(:[A-Za-z0-9_][-A-Za-z0-9_.]{0,127})?(@[A-Za-z][A-Za-z0-9+._-]*:[0-9a-fA-F]+)?");

    private static final Pattern C_IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private KubernetesSyntax() {}

    /**
     * Returns whether the text is a DNS-1035 label, except for its length, which the caller checks. It has lower-case
     * letters, digits and dashes; the first is a letter, the last no dash.
     */
    public static boolean isDns1035Label(String text) {
        return matches(DNS_1035, text, Integer.MAX_VALUE);
    }

    public static boolean isDns1123Label(String text) {
        return matches(DNS_1123, text, 63);
    }

    public static boolean isSubdomain(String text) {
        return matches(SUBDOMAIN, text, 253);
    }

    /**
     * Returns whether the text is the key of a label or annotation, or the name of a resource: {@code name} or
     * {@code domain/name}.
     */
    public static boolean isQualifiedName(String text) {
        int slash = text.indexOf('/');
        return (slash < 0 || isSubdomain(text.substring(0, slash))) && matches(WORD, text.substring(slash + 1), 63);
    }

    public static boolean isLabelValue(String text) {
        return text.isEmpty() || matches(WORD, text, 63);
    }

    /** Returns whether the text is the name of an image: perhaps a registry, a repository, and perhaps tag and digest. */
    public static boolean isImage(String text) {
        return matches(IMAGE, text, 512);
    }

    public static boolean isEnvName(String text) {
        return matches(C_IDENTIFIER, text, Integer.MAX_VALUE);
    }

    /**
     * Returns whether a text of at most {@code longest} characters, and never more than 1000, matches a pattern. Checks
     * the length first, because the patterns backtrack and the text is untrusted.
     */
    private static boolean matches(Pattern pattern, String text, int longest) {
        return text.length() <= Math.min(longest, 1000) && pattern.matcher(text).matches();
    }
}
