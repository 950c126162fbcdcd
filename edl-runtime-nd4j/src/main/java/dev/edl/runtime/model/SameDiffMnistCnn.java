package dev.edl.runtime.model;

import dev.edl.runtime.Model;
import dev.edl.runtime.ParameterLayout;

/**
 * The network of {@link MnistCnn} computed by SameDiff: the same parameters, initial values, dropout masks, losses and
 * gradients, from a graph instead of hand-written loops.
 *
 * <p>It is there to compare with, and as a pattern for graphs whose training needs more than features and labels come in
 * (the mask) or more than gradients come out (the statistics of the batch). Training by it takes about ten times as long.
 *
 * <pre>{@code
 * Model digits = SameDiffMnistCnn.of(new MnistCnn());
 * digits.layout().equals(new MnistCnn().layout());        // true
 * }</pre>
 *
 * <p>Immutable; each worker opens a session, which has a graph of its own.
 */
public final class SameDiffMnistCnn implements Model {
    private final MnistCnn network;

    private SameDiffMnistCnn(MnistCnn network) {
        this.network = network;
    }

    /** The same network, dropout included, as a graph. */
    public static SameDiffMnistCnn of(MnistCnn network) {
        return new SameDiffMnistCnn(network);
    }

    /** As of {@link MnistCnn}. */
    double dropout() {
        return network.dropout();
    }

    /** As of {@link MnistCnn}. */
    @Override
    public ParameterLayout layout() {
        return network.layout();
    }

    /** 784, an image row after row. */
    @Override
    public int features() {
        return network.features();
    }

    /** 1, the digit. */
    @Override
    public int labels() {
        return network.labels();
    }

    /** 10, the digits' probabilities. */
    @Override
    public int outputs() {
        return network.outputs();
    }

    /** As {@link MnistCnn#initialize}. */
    @Override
    public void initialize(float[] parameters, long seed) {
        network.initialize(parameters, seed);
    }

    /**
     * {@inheritDoc}
     *
     * @throws MissingBackendException when there is no ND4J backend
     */
    @Override
    public Session open(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException(this + ": a session's capacity must be at least 1, was " + capacity);
        }
        Backend.oneThreadPerWorker();
        return new MnistCnnGraphSession(this, capacity);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SameDiffMnistCnn that && network.equals(that.network);
    }

    @Override
    public int hashCode() {
        return 31 * network.hashCode();
    }

    /** For example {@code SameDiffMnistCnn[784, 10, dropout 0.25]}. */
    @Override
    public String toString() {
        return "SameDiff" + network;
    }
}
