package dev.edl.runtime.optimizers;

import java.util.Arrays;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Learning rate as a function of the number of updates of a parameter shard.
 *
 * <p>Formulas and defaults are those of Keras' schedules of the same names; the first update has the step 0. Each shard
 * uses its own version, so a resumed training continues from its checkpoint. Immutable, with a text form. Safe for
 * several threads if a custom rule is.
 *
 * <pre>{@code
 * LearningRateSchedule.cosine(0.1, 10_000).withWarmup(500);
 * LearningRateSchedule.piecewise(new long[] {1000, 5000}, 0.1, 0.01, 0.001);
 * LearningRateSchedule.parse("exponential:initial=0.1,steps=1000,factor=0.96");
 * LearningRateSchedule.custom("halves", step -> 0.1 / (1 + step / 1000));
 * }</pre>
 */
public final class LearningRateSchedule {
    static final String THEN = " then ";

    private final String text;
    private final LongToDoubleFunction rule;

    private LearningRateSchedule(String text, LongToDoubleFunction rule) {
        this.text = text;
        this.rule = rule;
    }

    /**
     * Returns a constant rate.
     *
     * @param rate finite and above 0
     */
    public static LearningRateSchedule constant(double rate) {
        requireRate("constant", "rate", rate);
        return new LearningRateSchedule("constant:rate=" + rate, step -> rate);
    }

    /** Returns a schedule of a constant rate, which {@link #toString()} formats as a float. */
    static LearningRateSchedule constant(float rate) {
        return new LearningRateSchedule("constant:rate=" + rate, step -> rate);
    }

    /**
     * Returns a piecewise constant schedule. The first rate applies up to and including the step of the first boundary,
     * then the second rate up to the next boundary, and so on.
     *
     * @param boundaries steps, ascending, from 0
     * @param rates learning rates, one more than boundaries, each finite and at least 0
     */
    public static LearningRateSchedule piecewise(long[] boundaries, double... rates) {
        boolean ascending = boundaries.length > 0 && boundaries[0] >= 0;
        for (int i = 1; i < boundaries.length; i++) {
            ascending &= boundaries[i - 1] < boundaries[i];
        }
        boolean finite = Arrays.stream(rates).allMatch(r -> r >= 0 && Double.isFinite(r));
        if (!ascending || !finite || rates.length != boundaries.length + 1) {
            throw new IllegalArgumentException("piecewise needs at least one boundary, boundaries from 0 that ascend,"
                    + " and one rate more, each at least 0; was " + Arrays.toString(boundaries) + " and "
                    + Arrays.toString(rates) + "; for example piecewise:boundaries=1000;5000,rates=0.1;0.01;0.001");
        }
        long[] ends = boundaries.clone();
        double[] values = rates.clone();
        return new LearningRateSchedule(
                "piecewise:boundaries="
                        + Arrays.stream(ends).mapToObj(Long::toString).collect(Collectors.joining(";")) + ",rates="
                        + Arrays.stream(values).mapToObj(Double::toString).collect(Collectors.joining(";")),
                step -> {
                    int i = 0;
                    while (i < ends.length && step > ends[i]) {
                        i++;
                    }
                    return values[i];
                });
    }

    /**
     * Returns {@code initial * factor^(step / steps)}; with {@code staircase} the exponent is rounded down.
     *
     * @param initial finite and above 0
     * @param steps at least 1
     * @param factor finite and above 0
     */
    public static LearningRateSchedule exponential(double initial, long steps, double factor, boolean staircase) {
        requireRate("exponential", "initial", initial);
        requireSteps("exponential", steps);
        requireRate("exponential", "factor", factor);
        return new LearningRateSchedule(
                "exponential:initial=" + initial + ",steps=" + steps + ",factor=" + factor
                        + (staircase ? ",staircase=true" : ""),
                step -> {
                    double exponent = step / (double) steps;
                    return initial * Math.pow(factor, staircase ? Math.floor(exponent) : exponent);
                });
    }

    /**
     * Returns the schedule {@code (initial - end) * (1 - step / steps)^power + end} up to the step {@code steps}; then
     * the rate is {@code end}.
     *
     * @param initial finite and above 0
     * @param steps at least 1
     * @param end finite and at least 0; Keras' default is 0.0001
     * @param power finite and above 0; 1 is a straight line
     */
    public static LearningRateSchedule polynomial(double initial, long steps, double end, double power) {
        requireRate("polynomial", "initial", initial);
        requireSteps("polynomial", steps);
        requireRate("polynomial", "power", power);
        if (!(end >= 0) || Double.isInfinite(end)) {
            throw new IllegalArgumentException("polynomial: end must be a finite number of at least 0, was " + end
                    + "; for example polynomial:initial=0.1,steps=10000,end=0.0001,power=1.0");
        }
        return new LearningRateSchedule(
                "polynomial:initial=" + initial + ",steps=" + steps + ",end=" + end + ",power=" + power,
                step -> (initial - end) * Math.pow(1 - Math.min(step, steps) / (double) steps, power) + end);
    }

    /** Returns a {@link #cosine(double, long, double) cosine} down to 0. */
    public static LearningRateSchedule cosine(double initial, long steps) {
        return cosine(initial, steps, 0);
    }

    /**
     * Returns a schedule that falls along half a cosine (Loshchilov and Hutter, 2016) for {@code steps} steps; then the
     * rate is {@code initial * alpha}.
     *
     * <p>The formula is {@code initial * ((1 - alpha) * (1 + cos(pi * step / steps)) / 2 + alpha)}.
     *
     * @param initial finite and above 0
     * @param steps at least 1
     * @param alpha from 0 to 1
     */
    public static LearningRateSchedule cosine(double initial, long steps, double alpha) {
        requireRate("cosine", "initial", initial);
        requireSteps("cosine", steps);
        if (!(alpha >= 0 && alpha <= 1)) {
            throw new IllegalArgumentException("cosine: alpha must be from 0 to 1, was " + alpha
                    + "; for example cosine:initial=0.1,steps=10000,alpha=0.01");
        }
        return new LearningRateSchedule(
                "cosine:initial=" + initial + ",steps=" + steps + ",alpha=" + alpha,
                step -> initial
                        * ((1 - alpha) * 0.5 * (1 + Math.cos(Math.PI * Math.min(step, steps) / steps)) + alpha));
    }

    /**
     * Returns a schedule with a custom rule.
     *
     * @param name name of the schedule in messages; {@link #parse} cannot read such a schedule
     * @param rule returns a finite rate of at least 0 for every step from 0, and for a training one above 0 at step 0;
     *     called by many threads
     */
    public static LearningRateSchedule custom(String name, LongToDoubleFunction rule) {
        return new LearningRateSchedule("custom:" + name, rule);
    }

    /**
     * Returns this schedule after a warm-up that rises linearly to its first rate.
     *
     * <p>The rate during the warm-up is {@code rate(0) * (step + 1) / steps}. This schedule then starts at its own step
     * 0.
     *
     * @param steps number of steps of the warm-up, at least 1
     */
    public LearningRateSchedule withWarmup(long steps) {
        requireSteps("warmup", steps);
        return new LearningRateSchedule(
                "warmup:steps=" + steps + THEN + text,
                step -> step < steps ? rule.applyAsDouble(0) * (step + 1) / steps : rule.applyAsDouble(step - steps));
    }

    /**
     * Parses the form that {@link #toString()} writes.
     *
     * <p>Examples are {@code constant:rate=0.1}, {@code piecewise:boundaries=1000;5000,rates=0.1;0.01;0.001},
     * {@code exponential:initial=0.1,steps=1000,factor=0.96}, {@code polynomial:initial=0.1,steps=10000},
     * {@code cosine:initial=0.1,steps=10000} and {@code warmup:steps=500 then cosine:initial=0.1,steps=10000}. Optional
     * settings are staircase (false), end (0.0001), power (1) and alpha (0).
     *
     * @throws IllegalArgumentException for an unknown name or setting (naming the nearest known one), a setting given
     *     twice or missing, or a value out of range
     */
    public static LearningRateSchedule parse(String text) {
        return LearningRateText.parse(text);
    }

    /**
     * Returns the rate of the update that follows {@code step} updates.
     *
     * @param step number of updates before this one, at least 0
     * @throws IllegalStateException when a custom rule throws, or returns a rate that is not a finite number of at
     *     least 0; the message names the schedule and the step
     */
    public float rate(long step) {
        float rate;
        try {
            rate = (float) rule.applyAsDouble(step);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "the learning rate schedule " + text + " failed at step " + step + ": " + e, e);
        }
        if (!(rate >= 0) || Float.isInfinite(rate)) {
            throw new IllegalStateException("the learning rate must be a finite number of at least 0, was " + rate
                    + " at step " + step + " of " + text);
        }
        return rate;
    }

    private static void requireRate(String name, String key, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + ": " + key + " must be a finite number above 0, was " + value
                    + "; for example " + key + "=0.1");
        }
    }

    private static void requireSteps(String name, long steps) {
        if (steps < 1) {
            throw new IllegalArgumentException(
                    name + ": steps must be at least 1, was " + steps + "; for example steps=1000");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LearningRateSchedule that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Returns, for example, {@code warmup:steps=500 then cosine:initial=0.1,steps=10000,alpha=0.0}. */
    @Override
    public String toString() {
        return text;
    }
}
