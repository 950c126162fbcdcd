package dev.edl.spec;

import dev.edl.internal.text.KubernetesSyntax;
import dev.edl.internal.text.MessageText;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * PriorityClass of a role's replicas: one class for all, or {@code high} for a fraction of the workers and {@code low}
 * for the rest.
 *
 * <table><caption>ElasticDL's grammar</caption>
 * <tr><th>text</th><th>typed</th><th>meaning</th></tr>
 * <tr><td>{@code high}</td><td>{@code of("high")}</td><td>that class for all</td></tr>
 * <tr><td>{@code 0.5}</td><td>{@code fraction(0.5)}</td><td>half of the workers, rounded up, are {@code high}, taken
 *     alternately from both ends of the index range: 0, 1, 2, 8, 9 of ten</td></tr>
 * <tr><td>{@code high=0.5}</td><td>{@code leading(0.5)}</td><td>ElasticDL's older form: half of the workers, rounded
 *     down, are {@code high}: the first indices</td></tr>
 * </table>
 *
 * <p>{@link #toString} writes this grammar. Immutable; safe for use by several threads.
 */
public final class Priority {
    /** The class {@code high}. */
    public static final Priority HIGH = new Priority("high", Double.NaN, false);

    /** The class {@code low}. */
    public static final Priority LOW = new Priority("low", Double.NaN, false);

    private static final Pattern NUMBER = Pattern.compile("[-+]?\\.?\\d[\\d.]*([eE][-+]?\\d+)?");
    private static final Pattern FRACTION = Pattern.compile("0?\\.\\d+|0|1(\\.0*)?");

    private final String className;
    private final double fraction;
    private final boolean leading;

    private Priority(String className, double fraction, boolean leading) {
        this.className = className;
        this.fraction = fraction;
        this.leading = leading;
    }

    /**
     * Returns a priority that gives all replicas the same class.
     *
     * @param className the name of a PriorityClass in the cluster, a DNS subdomain
     * @throws IllegalArgumentException if {@code className} is not a DNS subdomain, or is a number, which {@link #parse}
     *     would read as a fraction
     */
    public static Priority of(String className) {
        if (!KubernetesSyntax.isSubdomain(className)
                || NUMBER.matcher(className).matches()) {
            throw refused(className);
        }
        return new Priority(className, Double.NaN, false);
    }

    /**
     * Returns a priority that gives class {@code high} to a fraction of the workers, rounded up, and {@code low} to the
     * rest. The high workers are taken alternately from both ends of the index range.
     *
     * @param high fraction of the workers that get class {@code high}, from 0 to 1
     * @throws IllegalArgumentException if {@code high} lies outside this range
     */
    public static Priority fraction(double high) {
        return new Priority("", checked(high), false);
    }

    /**
     * Returns a priority that gives class {@code high} to the workers with the first indices, a fraction of all
     * workers, rounded down, and {@code low} to the rest.
     *
     * @param high fraction of the workers that get class {@code high}, from 0 to 1
     * @throws IllegalArgumentException if {@code high} lies outside this range
     */
    public static Priority leading(double high) {
        return new Priority("", checked(high), true);
    }

    /**
     * Parses a text of the grammar above. A number is a fraction; any other text without {@code =} is a class name.
     *
     * @throws IllegalArgumentException for a text outside the grammar
     */
    public static Priority parse(String text) {
        boolean leading = text.startsWith("high=");
        String number = leading ? text.substring("high=".length()) : text;
        if (FRACTION.matcher(number).matches()) {
            return leading ? leading(Double.parseDouble(number)) : fraction(Double.parseDouble(number));
        }
        if (leading) {
            throw refused(text);
        }
        return of(text);
    }

    private static double checked(double fraction) {
        if (!(fraction >= 0 && fraction <= 1)) {
            throw refused(MessageText.decimal(fraction));
        }
        return fraction + 0.0; // -0.0 becomes 0.0, so that equal priorities print alike
    }

    private static IllegalArgumentException refused(String text) {
        return new IllegalArgumentException("priority must be the name of a PriorityClass, a fraction from 0 to 1, or"
                + " high=<fraction>, was \"" + text + "\"; for example high, 0.5 or high=0.5");
    }

    /** Returns whether the class depends on the replica's index; false if all replicas have the same class. */
    public boolean isFraction() {
        return !Double.isNaN(fraction);
    }

    /**
     * Returns the class of one replica.
     *
     * <p>The number of high replicas is computed in double precision, as in ElasticDL.
     *
     * @param index index of the replica, at least 0; a replica added by scaling up, with index {@code replicas} or
     *     more, is low
     * @param replicas number of replicas of the role at the start
     * @throws IllegalArgumentException for a negative index
     */
    public String classFor(int index, int replicas) {
        if (index < 0) {
            throw new IllegalArgumentException("index must be at least 0, was " + index);
        }
        if (!isFraction()) {
            return className;
        }
        if (index >= replicas) {
            return LOW.className;
        }
        int high = (int) (leading ? replicas * fraction : Math.ceil(replicas * fraction));
        boolean first = index < (leading ? high : (high + 1) / 2);
        boolean last = !leading && index >= replicas - high / 2;
        return first || last ? HIGH.className : LOW.className;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Priority that
                && className.equals(that.className)
                && Double.compare(fraction, that.fraction) == 0
                && leading == that.leading;
    }

    @Override
    public int hashCode() {
        return Objects.hash(className, fraction, leading);
    }

    /** Returns the text that {@link #parse} reads: {@code high}, {@code 0.5} or {@code high=0.5}. */
    @Override
    public String toString() {
        return isFraction() ? (leading ? "high=" : "") + MessageText.decimal(fraction) : className;
    }
}
