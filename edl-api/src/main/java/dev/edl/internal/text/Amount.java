package dev.edl.internal.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One amount of a resource: its value in cores, bytes or pieces, and the one text that stands for that value.
 *
 * @param value cores, bytes or pieces
 * @param text as Kubernetes reads it
 */
public record Amount(BigDecimal value, String text) {
    private static final Pattern CORES = Pattern.compile("(?:0|[1-9]\\d{0,8})(?:\\.\\d{1,18})?");
    private static final Pattern MILLICORES = Pattern.compile("([1-9]\\d{0,11})m");
    private static final Pattern BYTES = Pattern.compile("([1-9]\\d{0,18})([kKMGTPE]|[KMGTPE]i)?");
    private static final Pattern PIECES = Pattern.compile("0|[1-9]\\d{0,8}");
    private static final List<String> DECIMAL = List.of("", "k", "M", "G", "T", "P", "E");
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final BigInteger THOUSAND = BigInteger.valueOf(1000);
    private static final BigInteger KIBI = BigInteger.valueOf(1024);

    /** Kubernetes counts in 64 bits. */
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    /**
     * Reads an amount.
     *
     * @param said the resource's name as the user said it, for messages
     * @param name the resource's name as Kubernetes knows it; it decides the unit
     * @throws IllegalArgumentException for a text that is none
     */
    public static Amount parse(String said, String name, String text) {
        return switch (name) {
            case "cpu" -> cores(text);
            case "memory", "ephemeral-storage" -> bytes(said, text);
            default -> pieces(said, text);
        };
    }

    private static Amount cores(String text) {
        Matcher millis = MILLICORES.matcher(text);
        BigDecimal cores = BigDecimal.ZERO;
        if (millis.matches()) {
            cores = new BigDecimal(millis.group(1)).movePointLeft(3);
        } else if (CORES.matcher(text).matches()) {
            cores = new BigDecimal(text);
        }
        BigDecimal thousandths = cores.movePointRight(3).stripTrailingZeros();
        if (thousandths.signum() <= 0 || thousandths.scale() > 0) {
            throw new IllegalArgumentException("cpu must be a number of cores above 0 with at most three decimals, or"
                    + " millicores, was \"" + text + "\"; for example cpu=2, cpu=0.5 or cpu=500m");
        }
        BigDecimal whole = cores.setScale(0, RoundingMode.DOWN);
        return new Amount(
                cores, whole.compareTo(cores) == 0 ? whole.toPlainString() : thousandths.toPlainString() + "m");
    }

    private static Amount bytes(String said, String text) {
        Matcher matcher = BYTES.matcher(text);
        if (matcher.matches()) {
            String unit = matcher.group(2) == null ? "" : matcher.group(2).equals("K") ? "k" : matcher.group(2);
            BigInteger factor =
                    unit.endsWith("i") ? KIBI.pow(BINARY.indexOf(unit)) : THOUSAND.pow(DECIMAL.indexOf(unit));
            BigInteger bytes = new BigInteger(matcher.group(1)).multiply(factor);
            if (bytes.compareTo(MOST) <= 0) {
                String decimal = shortened(bytes, THOUSAND, DECIMAL);
                String binary = shortened(bytes, KIBI, BINARY);
                return new Amount(new BigDecimal(bytes), binary.length() < decimal.length() ? binary : decimal);
            }
        }
        throw new IllegalArgumentException(said
                + " must be a whole number above 0 and below 8Ei, with one of Ki Mi Gi Ti"
                + " Pi Ei k M G T P E or without for bytes, was \"" + text + "\"; for example " + said + "=2048Mi");
    }

    private static String shortened(BigInteger bytes, BigInteger step, List<String> units) {
        BigInteger number = bytes;
        int unit = 0;
        while (unit < units.size() - 1 && number.mod(step).signum() == 0) {
            number = number.divide(step);
            unit++;
        }
        return number + units.get(unit);
    }

    private static Amount pieces(String said, String text) {
        if (!PIECES.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    said + " must be a whole number of at least 0, was \"" + text + "\"; for example " + said + "=1");
        }
        return new Amount(new BigDecimal(text), text);
    }
}
