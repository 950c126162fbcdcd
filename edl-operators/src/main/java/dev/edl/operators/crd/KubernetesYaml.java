package dev.edl.operators.crd;

import dev.edl.internal.text.MessageText;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.exceptions.ConstructorException;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import org.snakeyaml.engine.v2.schema.Schema;

/**
 * YAML schema that reads unquoted scalars as Kubernetes does. Its Go library follows YAML 1.1 for some: {@code yes} and
 * {@code on} are true, {@code 0644} is octal, and {@code 1_000} is a number. Other scalars follow YAML 1.2.
 *
 * @see <a href="https://github.com/kubernetes-sigs/yaml">Kubernetes: sigs.k8s.io/yaml</a>
 */
final class KubernetesYaml implements Schema {
    private static final Set<String> TRUE = Set.of("y", "yes", "on", "true");
    private static final Set<String> FALSE = Set.of("n", "no", "off", "false");
    private static final Pattern WHOLE = Pattern.compile(
            "[-+]?(0|[1-9][0-9_]*|0[0-7_]+|0[oO][0-7_]+|0[xX]_*[0-9a-fA-F][0-9a-fA-F_]*|0[bB]_*[01][01_]*)");

    private final CoreSchema core = new CoreSchema();

    @Override
    public ScalarResolver getScalarResolver() {
        ScalarResolver rest = core.getScalarResolver();
        return (value, implicit) -> {
            if (implicit && isWord(value)) {
                return Tag.BOOL;
            }
            if (implicit && WHOLE.matcher(value).matches()) {
                return Tag.INT;
            }
            Tag tag = rest.resolve(value, implicit);
            // A decimal number in YAML 1.2 that Go does not accept, such as 089, is a float in Go.
            return tag.equals(Tag.INT) ? Tag.FLOAT : tag;
        };
    }

    /**
     * Returns whether the value is a boolean word of YAML 1.1 in lower case, capitalised or in upper case; other
     * spellings are strings.
     */
    private static boolean isWord(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        return (TRUE.contains(lower) || FALSE.contains(lower))
                && (value.equals(lower)
                        || value.equals(value.toUpperCase(Locale.ROOT))
                        || value.substring(1).equals(lower.substring(1)));
    }

    @Override
    public Map<Tag, ConstructNode> getSchemaTagConstructors() {
        Map<Tag, ConstructNode> constructors = new HashMap<>(core.getSchemaTagConstructors());
        constructors.put(
                Tag.BOOL, node -> TRUE.contains(((ScalarNode) node).getValue().toLowerCase(Locale.ROOT)));
        constructors.put(Tag.INT, node -> {
            try {
                return whole(((ScalarNode) node).getValue());
            } catch (NumberFormatException e) {
                throw wrong((ScalarNode) node, "whole", "12");
            }
        });
        constructors.put(Tag.FLOAT, node -> finite((ScalarNode) node));
        return constructors;
    }

    /** Returns a number that JSON can express, without infinities and NaN. */
    private static double finite(ScalarNode node) {
        double number;
        try {
            number = Double.parseDouble(node.getValue());
        } catch (NumberFormatException e) {
            number = Double.NaN;
        }
        if (!Double.isFinite(number)) {
            throw wrong(node, "finite", "1.5");
        }
        return number;
    }

    private static ConstructorException wrong(ScalarNode node, String rule, String example) {
        return new ConstructorException(
                "",
                Optional.empty(),
                "a number must be " + rule + ", was " + MessageText.quoted(node.getValue()) + "; for example " + example
                        + ", or a text in quotes",
                node.getStartMark());
    }

    private static Number whole(String text) {
        String plain = text.replace("_", "");
        boolean minus = plain.startsWith("-");
        String digits = plain.substring(minus || plain.startsWith("+") ? 1 : 0).toLowerCase(Locale.ROOT);
        BigInteger number;
        if (digits.startsWith("0x")) {
            number = new BigInteger(digits.substring(2), 16);
        } else if (digits.startsWith("0b")) {
            number = new BigInteger(digits.substring(2), 2);
        } else if (digits.startsWith("0o")) {
            number = new BigInteger(digits.substring(2), 8);
        } else {
            number = new BigInteger(digits, digits.length() > 1 && digits.startsWith("0") ? 8 : 10);
        }
        BigInteger value = minus ? number.negate() : number;
        return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
    }
}
