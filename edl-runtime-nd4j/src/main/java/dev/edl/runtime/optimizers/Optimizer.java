package dev.edl.runtime.optimizers;

import java.util.List;

/**
 * Rule by which a parameter shard turns a gradient into new weights.
 *
 * <p>It holds settings only. The shard holds the state: one {@code float[]} for each {@linkplain #slots() slot}, and
 * the number of updates. All arithmetic is in {@code float}, except for Adam's step size. Immutable and safe to share.
 *
 * <pre>{@code
 * Optimizer.sgd(0.1f);
 * Optimizer.sgd(0.1f, 0.9f, true);
 * Optimizer.parse("adam:learning_rate=0.001").learningRate();   // 0.001f
 * }</pre>
 */
public abstract sealed class Optimizer permits Sgd, Adam, Adagrad {
    private final float learningRate;

    Optimizer(float learningRate) {
        if (!(learningRate > 0) || Float.isInfinite(learningRate)) {
            throw new IllegalArgumentException("learning_rate must be a finite number above 0, was " + learningRate
                    + "; for example sgd:learning_rate=0.1");
        }
        this.learningRate = learningRate;
    }

    /**
     * Returns plain gradient descent: {@code p -= learningRate * g}.
     *
     * @param learningRate finite and above 0
     */
    public static Optimizer sgd(float learningRate) {
        return new Sgd(learningRate, 0f, false);
    }

    /**
     * Returns gradient descent with momentum, optionally with Nesterov's correction.
     *
     * <p>The rule is {@code v = momentum * v + g}, then {@code p -= learningRate * v}, or with Nesterov's correction
     * {@code p -= learningRate * (g + momentum * v)}.
     *
     * @param learningRate finite and above 0
     * @param momentum at least 0 and below 1; 0 is plain gradient descent
     * @param nesterov needs a momentum above 0
     */
    public static Optimizer sgd(float learningRate, float momentum, boolean nesterov) {
        return new Sgd(learningRate, momentum, nesterov);
    }

    /**
     * Returns Adam with Keras' defaults: beta_1 0.9, beta_2 0.999 and epsilon 1e-7.
     *
     * <p>ElasticDL's users have their optimizers from Keras; PyTorch has epsilon 1e-8.
     *
     * @param learningRate finite and above 0
     */
    public static Optimizer adam(float learningRate) {
        return new Adam(learningRate, Adam.BETA_1, Adam.BETA_2, Adam.EPSILON, false);
    }

    /**
     * Returns Adam (Kingma and Ba, 2015, in the form at the end of their section 2).
     *
     * <p>{@code m} and {@code v} are moving averages of the gradient and its square. With
     * {@code lr_t = learningRate * sqrt(1 - beta2^t) / (1 - beta1^t)}, the rule is
     * {@code p -= lr_t * m / (sqrt(v) + epsilon)}; {@code t} counts the shard's updates from 1.
     *
     * @param learningRate finite and above 0
     * @param beta1 at least 0 and below 1
     * @param beta2 at least 0 and below 1
     * @param epsilon finite and above 0
     */
    public static Optimizer adam(float learningRate, float beta1, float beta2, float epsilon) {
        return new Adam(learningRate, beta1, beta2, epsilon, false);
    }

    /**
     * Returns AMSGrad (Reddi, Kale and Kumar, 2018, as Keras and ElasticDL apply it).
     *
     * <p>It is Adam with the largest {@code v} so far in the denominator, so that the factor of a step never grows.
     *
     * @param learningRate finite and above 0
     * @param beta1 at least 0 and below 1
     * @param beta2 at least 0 and below 1
     * @param epsilon finite and above 0
     */
    public static Optimizer amsgrad(float learningRate, float beta1, float beta2, float epsilon) {
        return new Adam(learningRate, beta1, beta2, epsilon, true);
    }

    /**
     * Returns Adagrad (Duchi, Hazan and Singer, 2011).
     *
     * <p>The rule is {@code a += g * g}, then {@code p -= learningRate * g / (sqrt(a) + epsilon)}. {@code a} starts at
     * 0, as in ElasticDL; Keras starts it at 0.1.
     *
     * @param learningRate finite and above 0
     * @param epsilon finite and above 0; Keras' default is 1e-7
     */
    public static Optimizer adagrad(float learningRate, float epsilon) {
        return new Adagrad(learningRate, epsilon);
    }

    /**
     * Parses the form that {@link #toString()} writes: a name, then optional settings.
     *
     * <p>Examples are {@code sgd}, {@code sgd:learning_rate=0.1,momentum=0.9,nesterov=true} and
     * {@code adam:learning_rate=0.001}. Defaults are those of Keras: learning_rate 0.01 for sgd and 0.001 for adam and
     * adagrad, momentum 0, nesterov false, beta_1 0.9, beta_2 0.999, epsilon 1e-7, amsgrad false.
     *
     * @throws IllegalArgumentException for an unknown name or setting (naming the nearest known one), a setting given
     *     twice, or a value out of range
     */
    public static Optimizer parse(String text) {
        return OptimizerText.parse(text);
    }

    /** Returns the learning rate, above 0. */
    public final float learningRate() {
        return learningRate;
    }

    /** Returns the same rule with another learning rate. */
    public abstract Optimizer withLearningRate(float learningRate);

    /** Returns the names of the state vectors that a shard keeps in addition to its weights; all are zero at the start. */
    public abstract List<String> slots();

    /** Returns whether {@link #rate} depends on the update count; all parts of a shard must then share one count. */
    public abstract boolean countsSteps();

    /**
     * Returns whether this optimizer can continue from the other optimizer's state: rule and settings are equal, except
     * for the learning rate.
     */
    public final boolean continues(Optimizer other) {
        return withLearningRate(other.learningRate).toString().equals(other.toString());
    }

    /**
     * Returns the step size of an update.
     *
     * @param learningRate the current learning rate
     * @param step number of the update, from 1
     */
    public float rate(float learningRate, long step) {
        return learningRate;
    }

    /**
     * Updates {@code weights[from..to)} and the same index range of each slot.
     *
     * @param slots state vectors, in the order of {@link #slots()}, each as long as the weights
     * @param rate the value of {@link #rate} for this update
     * @param gradient gradient, whose element {@code gradientOffset + i} belongs to the weight {@code i}
     */
    public abstract void apply(
            float[] weights, float[][] slots, float rate, float[] gradient, int gradientOffset, int from, int to);

    @Override
    public final boolean equals(Object other) {
        return other instanceof Optimizer that && toString().equals(that.toString());
    }

    @Override
    public final int hashCode() {
        return toString().hashCode();
    }
}
