package dev.edl.internal.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Amount of one resource: its value in cores, bytes or pieces, and its normalized text. The parsers accept any
 * Kubernetes quantity and round it up as Kubernetes does: cores to thousandths, bytes to whole bytes.
 *
 * @param value number of cores, bytes or pieces
 * @param text amount in Kubernetes' notation, such as {@code 500m} or {@code 2Gi}
 * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/">Kubernetes:
 *     Quantity</a>
 */
public record ResourceQuantity(BigDecimal value, String text) {
    /** Largest amount in cores, bytes or pieces, because Kubernetes counts in 64 bits. */
    public static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    /** Matches Kubernetes' grammar of quantities, except for numbers far beyond the range of Kubernetes. */
    private static final Pattern QUANTITY = Pattern.compile(
            "([+-]?(?:[0-9]{1,400}(?:\\.[0-9]{0,400})?|\\.[0-9]{1,400}))([numkMGTPE]?|[KMGTPE]i|[eE][+-]?0{0,400}[0-9]{1,3})");

    private static final List<String> DECIMAL = List.of("", "k", "M", "G", "T", "P", "E");
    private static final List<String> SMALL = List.of("", "m", "u", "n");
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final String BYTES =
            "a number of bytes of at least 0, with one of Ki Mi Gi Ti Pi Ei k M G T P E or without";
    private static final BigInteger THOUSAND = BigInteger.valueOf(1000);
    private static final BigInteger KIBI = BigInteger.valueOf(1024);

    /**
     * Parses an amount.
     *
     * @param said the resource's name as the user wrote it, for messages
     * @param name the resource's name in Kubernetes, which determines the unit
     * @throws IllegalArgumentException if the text is not an amount in that unit, or is negative or not below 8Ei
     */
    public static ResourceQuantity parse(String said, String name, String text) {
        return switch (name) {
            case "cpu" -> cores(text);
            case "memory", "ephemeral-storage" -> bytes(said, text, said + "=2048Mi");
            default -> pieces(said, text);
        };
    }

    /** Returns the exact number that a Kubernetes quantity stands for; empty if the text is not a quantity. */
    public static Optional<BigDecimal> number(String quantity) {
        Matcher matcher = QUANTITY.matcher(quantity);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        BigDecimal number = new BigDecimal(matcher.group(1));
        String suffix = matcher.group(2);
        if (BINARY.contains(suffix)) {
            return Optional.of(number.multiply(new BigDecimal(KIBI.pow(BINARY.indexOf(suffix)))));
        }
        if (DECIMAL.contains(suffix)) {
            return Optional.of(number.scaleByPowerOfTen(3 * DECIMAL.indexOf(suffix)));
        }
        return Optional.of(number.scaleByPowerOfTen(
                SMALL.contains(suffix) ? -3 * SMALL.indexOf(suffix) : Integer.parseInt(suffix.substring(1))));
    }

    private static ResourceQuantity cores(String text) {
        BigDecimal cores = counted(
                        "cpu",
                        "a number of cores or millicores of at least 0",
                        text,
                        text,
                        "cpu=2, cpu=0.5 or cpu=500m")
                .setScale(3, RoundingMode.UP)
                .stripTrailingZeros();
        return new ResourceQuantity(
                cores,
                cores.scale() <= 0
                        ? cores.toPlainString()
                        : cores.movePointRight(3).toPlainString() + "m");
    }

    /**
     * Parses an amount of bytes.
     *
     * @param said name of the setting, for messages
     * @param form a valid form, for messages
     * @throws IllegalArgumentException if the text is not an amount of bytes, or is negative or not below 8Ei
     */
    public static ResourceQuantity bytes(String said, String text, String form) {
        // ElasticDL's suffix, which Kubernetes does not accept.
        String quantity = text.endsWith("K") ? text.substring(0, text.length() - 1) + "k" : text;
        BigInteger bytes = counted(said, BYTES, text, quantity, form)
                .setScale(0, RoundingMode.UP)
                .toBigIntegerExact();
        String decimal = shortened(bytes, THOUSAND, DECIMAL);
        String binary = shortened(bytes, KIBI, BINARY);
        return new ResourceQuantity(new BigDecimal(bytes), binary.length() < decimal.length() ? binary : decimal);
    }

    private static String shortened(BigInteger bytes, BigInteger step, List<String> units) {
        BigInteger number = bytes;
        int unit = 0;
        while (number.signum() > 0
                && unit < units.size() - 1
                && number.mod(step).signum() == 0) {
            number = number.divide(step);
            unit++;
        }
        return number + units.get(unit);
    }

    private static ResourceQuantity pieces(String said, String text) {
        String rule = "a whole number of at least 0";
        BigDecimal pieces = counted(said, rule, text, text, said + "=1")
                .setScale(3, RoundingMode.UP)
                .stripTrailingZeros();
        if (pieces.scale() > 0) {
            throw wrong(said, rule, text, said + "=1");
        }
        return new ResourceQuantity(pieces, pieces.toPlainString());
    }

    private static BigDecimal counted(String said, String rule, String text, String quantity, String form) {
        BigDecimal number =
                number(quantity).filter(one -> one.signum() >= 0).orElseThrow(() -> wrong(said, rule, text, form));
        if (number.compareTo(MOST) > 0) {
            throw wrong(said, "below 8Ei, the limit of Kubernetes", text, form);
        }
        return number;
    }

    private static IllegalArgumentException wrong(String said, String rule, String text, String form) {
        return new IllegalArgumentException(said + " must be " + rule + ", was \"" + text + "\"; for example " + form);
    }
}
