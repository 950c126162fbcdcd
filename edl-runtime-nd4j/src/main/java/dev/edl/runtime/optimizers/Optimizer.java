package dev.edl.runtime.optimizers;

import java.util.List;

/**
 * The rule by which a parameter shard turns a gradient into new weights.
 *
 * <p>A value: it holds settings only, and the shard holds the state (one {@code float[]} per {@linkplain #slots() slot}
 * and the number of updates). All arithmetic is in {@code float}, but for Adam's step size. Immutable and safe to share.
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
     * Plain gradient descent: {@code p -= learningRate * g}.
     *
     * @param learningRate finite and above 0
     */
    public static Optimizer sgd(float learningRate) {
        return new Sgd(learningRate, 0f, false);
    }

    /**
     * Gradient descent with momentum: {@code v = momentum * v + g}, then {@code p -= learningRate * v}, or with
     * Nesterov's correction {@code p -= learningRate * (g + momentum * v)}.
     *
     * @param learningRate finite and above 0
     * @param momentum at least 0 and below 1; 0 is plain gradient descent
     * @param nesterov needs a momentum above 0
     */
    public static Optimizer sgd(float learningRate, float momentum, boolean nesterov) {
        return new Sgd(learningRate, momentum, nesterov);
    }

    /**
     * Adam with beta_1 0.9, beta_2 0.999 and epsilon 1e-7, which are the defaults of Keras, where the optimizers of
     * ElasticDL's users come from (PyTorch has epsilon 1e-8).
     *
     * @param learningRate finite and above 0
     */
    public static Optimizer adam(float learningRate) {
        return new Adam(learningRate, Adam.BETA_1, Adam.BETA_2, Adam.EPSILON, false);
    }

    /**
     * Adam (Kingma and Ba, 2015, in the form at the end of their section 2): {@code m} and {@code v} are moving
     * averages of the gradient and its square, {@code lr_t = learningRate * sqrt(1 - beta2^t) / (1 - beta1^t)},
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
     * AMSGrad (Reddi, Kale and Kumar, 2018, as Keras and ElasticDL apply it): Adam with {@code v} in the denominator
     * replaced by the largest {@code v} so far, so that a step can only become smaller.
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
     * Adagrad (Duchi, Hazan and Singer, 2011): {@code a += g * g}, then {@code p -= learningRate * g / (sqrt(a) +
     * epsilon)}. {@code a} starts at 0, as in ElasticDL; Keras starts it at 0.1.
     *
     * @param learningRate finite and above 0
     * @param epsilon finite and above 0; Keras' default is 1e-7
     */
    public static Optimizer adagrad(float learningRate, float epsilon) {
        return new Adagrad(learningRate, epsilon);
    }

    /**
     * Reads the form that {@link #toString()} writes: a name, then optional settings, for example {@code sgd},
     * {@code sgd:learning_rate=0.1,momentum=0.9,nesterov=true} or {@code adam:learning_rate=0.001}. Settings that are
     * left out have Keras' defaults: learning_rate 0.01 for sgd and 0.001 for adam and adagrad, momentum 0, nesterov
     * false, beta_1 0.9, beta_2 0.999, epsilon 1e-7, amsgrad false.
     *
     * @throws IllegalArgumentException for an unknown name or setting (naming the nearest known one), a setting given
     *     twice, or a value out of range
     */
    public static Optimizer parse(String text) {
        return OptimizerText.parse(text);
    }

    /** The step size, above 0. */
    public final float learningRate() {
        return learningRate;
    }

    /** The same rule with another step size. */
    public abstract Optimizer withLearningRate(float learningRate);

    /** Names of the state vectors that a shard keeps beside its weights, all zero at the start. */
    public abstract List<String> slots();

    /** Whether {@link #rate} depends on the number of the update, so that all of a shard must have made as many. */
    public abstract boolean countsSteps();

    /**
     * Whether state that the other one left behind is this one's state: the same rule and the same settings but for
     * the learning rate.
     */
    public final boolean continues(Optimizer other) {
        return withLearningRate(other.learningRate).toString().equals(other.toString());
    }

    /**
     * The step size of an update.
     *
     * @param learningRate the learning rate of the moment
     * @param step number of the update, from 1
     */
    public float rate(float learningRate, long step) {
        return learningRate;
    }

    /**
     * Updates {@code weights[from..to)} and the same ranges of the slots.
     *
     * @param slots in the order of {@link #slots()}, each as long as the weights
     * @param rate what {@link #rate} gave for this update
     * @param gradient read at {@code gradientOffset + i} for the weight {@code i}
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
