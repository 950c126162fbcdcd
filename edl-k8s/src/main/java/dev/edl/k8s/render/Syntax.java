package dev.edl.k8s.render;

import java.util.regex.Pattern;

/** The forms that Kubernetes gives to what options name; what has another form is refused with an example. */
final class Syntax {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern LABEL_ALONE = Pattern.compile(LABEL);
    private static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private Syntax() {}

    /** The name of an object: a DNS subdomain of at most 253 characters. */
    static String name(String what, String name, String example) {
        if (name.length() > 253 || !SUBDOMAIN.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " must be a DNS subdomain of at most 253 characters, was \""
                    + name + "\"; for example " + example);
        }
        return name;
    }

    /** The name of a part of a pod: a DNS label of at most 63 characters. */
    static String label(String what, String name, String example) {
        if (name.length() > 63 || !LABEL_ALONE.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " must be a DNS label of at most 63 characters, was \"" + name
                    + "\"; for example " + example);
        }
        return name;
    }

    /** The key of a label, annotation or resource: {@code name} or {@code domain/name}. */
    static String key(String what, String key, String example) {
        int slash = key.indexOf('/');
        String domain = slash < 0 ? "x" : key.substring(0, slash);
        String name = key.substring(slash + 1);
        if (domain.length() > 253
                || name.length() > 63
                || !SUBDOMAIN.matcher(domain).matches()
                || !WORD.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    what + " must have the form name or domain/name, was \"" + key + "\"; for example " + example);
        }
        return key;
    }

    /** The value of a label: nothing, or a word of at most 63 characters. */
    static String labelValue(String what, String value, String example) {
        if (value.length() > 63 || !(value.isEmpty() || WORD.matcher(value).matches())) {
            throw new IllegalArgumentException(what
                    + " must be at most 63 letters, digits, dashes, dots and underscores, first and last a letter or"
                    + " digit, was \"" + value + "\"; for example " + example);
        }
        return value;
    }

    /** The name of an environment variable. */
    static String variable(String name, String example) {
        if (!VARIABLE.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a variable must be letters, digits and underscores, first no digit, was \"" + name
                            + "\"; for example " + example);
        }
        return name;
    }

    /** An absolute path within a container. */
    static String path(String what, String path, String example) {
        if (!path.startsWith("/") || path.contains(":") || path.contains("..")) {
            throw new IllegalArgumentException(
                    what + " must be absolute, without : and .., was \"" + path + "\"; for example " + example);
        }
        return path;
    }
}
