package dev.edl.spec;

import dev.edl.internal.text.KubernetesSyntax;
import dev.edl.internal.text.MessageText;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Reference to an entry of a Kubernetes Secret whose value becomes an environment variable. A job holds the reference
 * and never the value.
 *
 * <pre>{@code
 * .workers(4).secretEnv("AWS_SECRET_ACCESS_KEY", "s3", "secret")
 * }</pre>
 *
 * @param secret the Secret's name, a DNS-1123 subdomain of at most 253 characters
 * @param key the entry within the Secret: letters, digits, {@code -}, {@code _} and {@code .}, at most 253 characters
 * @see <a href="https://kubernetes.io/docs/concepts/configuration/secret/">Kubernetes: Secrets</a>
 */
public record SecretRef(String secret, String key) {
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,253}");

    /**
     * Checks the Secret's name and the key.
     *
     * @throws IllegalArgumentException if Kubernetes would reject the name or the key
     */
    public SecretRef {
        Objects.requireNonNull(secret, "secret");
        Objects.requireNonNull(key, "key");
        if (!KubernetesSyntax.isSubdomain(secret)) {
            throw new IllegalArgumentException(
                    "the name of a Secret must be lower-case letters, digits, dashes and dots,"
                            + " first and last a letter or digit, was " + MessageText.quoted(secret)
                            + "; for example \"s3\"");
        }
        if (!KEY.matcher(key).matches() || key.equals(".") || key.startsWith("..")) {
            throw new IllegalArgumentException(
                    "the key of a Secret must be letters, digits, dashes, dots and underscores," + " was "
                            + MessageText.quoted(key) + "; for example \"secret\"");
        }
    }

    /**
     * Parses the text that {@link #toString} writes.
     *
     * @param text {@code secret/key}
     * @throws IllegalArgumentException if the text has no slash, or Kubernetes would reject the name or the key
     */
    public static SecretRef parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("a reference to a Secret must be its name, a slash and the key, was "
                    + MessageText.quoted(text) + "; for example \"s3/secret\"");
        }
        return new SecretRef(text.substring(0, slash), text.substring(slash + 1));
    }

    /** Returns {@code secret/key}. */
    @Override
    public String toString() {
        return secret + "/" + key;
    }
}
