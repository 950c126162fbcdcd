package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;

/**
 * Network of {@link MnistCnn} computed by SameDiff, with a graph instead of hand-written loops.
 *
 * <p>Parameters, initial values, dropout masks, losses and gradients equal those of {@link MnistCnn}. It serves as a
 * reference, and as a pattern for graphs with inputs besides features and labels (the mask) or outputs besides
 * gradients (the batch statistics). Training with it takes about ten times as long.
 *
 * <pre>{@code
 * Model digits = SameDiffMnistCnn.of(new MnistCnn());
 * digits.layout().equals(new MnistCnn().layout());        // true
 * }</pre>
 *
 * <p>Immutable; each worker opens a session with its own graph.
 */
public final class SameDiffMnistCnn implements Model {
    private final MnistCnn network;

    private SameDiffMnistCnn(MnistCnn network) {
        this.network = network;
    }

    /** Returns a graph model of a network, with the network's dropout rate. */
    public static SameDiffMnistCnn of(MnistCnn network) {
        return new SameDiffMnistCnn(network);
    }

    /** Returns the dropout rate of the {@link MnistCnn}. */
    double dropout() {
        return network.dropout();
    }

    /** Returns the layout of the {@link MnistCnn}. */
    @Override
    public ParameterLayout layout() {
        return network.layout();
    }

    /** Returns 784, an image row after row. */
    @Override
    public int features() {
        return network.features();
    }

    /** Returns 1: a record has one label, its digit. */
    @Override
    public int labels() {
        return network.labels();
    }

    /** Returns 10, the digits' probabilities. */
    @Override
    public int outputs() {
        return network.outputs();
    }

    /** Writes the initial values of {@link MnistCnn#initialize}. */
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

    /** Returns, for example, {@code SameDiffMnistCnn[784, 10, dropout 0.25]}. */
    @Override
    public String toString() {
        return "SameDiff" + network;
    }
}
