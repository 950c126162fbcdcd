package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.zoo.internal.graph.BatchCheck;
import dev.edl.runtime.zoo.internal.layers.BatchNormMaxPool;
import dev.edl.runtime.zoo.internal.layers.BatchNormalization;
import dev.edl.runtime.zoo.internal.layers.Bias;
import dev.edl.runtime.zoo.internal.layers.DenseLayer;
import dev.edl.runtime.zoo.internal.layers.Dropout;
import dev.edl.runtime.zoo.internal.layers.PatchConvolution;
import dev.edl.runtime.zoo.internal.layers.Relu;
import dev.edl.runtime.zoo.internal.layers.Softmax;
import dev.edl.runtime.zoo.internal.layers.WinogradConvolution;
import dev.edl.runtime.zoo.internal.layers.WinogradTileLayout;
import java.util.Arrays;
import java.util.List;

/** Session that holds one worker's buffers for a {@link MnistCnn}; a step allocates nothing. */
final class MnistCnnSession implements Model.Session {
    /**
     * Number of records in one convolution: a larger number gives larger matrix products, a smaller one fits the cache
     * better.
     */
    private static final int BLOCK = 4;

    private final MnistCnn model;
    private final int capacity;
    private final Offsets at;
    private final PatchConvolution first;
    private final WinogradConvolution second;
    private final BatchNormMaxPool pool;
    private final Dropout dropout;
    private final DenseLayer dense;
    /** Output of the first convolution, by block of records and plane. */
    private final float[][][] hidden;
    /** Output of the second convolution, later overwritten with its gradient, by block of records and plane. */
    private final float[][][] images;
    /** Number of floats in use in each plane of a block's images. */
    private final int[] lengths;

    private final float[][] hiddenGradient;
    private final float[] biases;
    private final float[] biasSums;
    private final float[] features;
    private final float[] mask;
    private final float[] scores;
    private final float[] scoreGradient;
    private boolean closed;

    MnistCnnSession(MnistCnn model, int capacity) {
        this.model = model;
        this.capacity = capacity;
        dropout = new Dropout(model.dropout());
        at = Offsets.of(model.layout().parameters());
        WinogradTileLayout grid = WinogradTileLayout.ofOutputs(MnistCnn.OUTPUT_SIDE, MnistCnn.OUTPUT_SIDE);
        int blocks = (capacity + BLOCK - 1) / BLOCK;
        int inputPlane = grid.inputCells() * BLOCK * MnistCnn.CHANNELS;
        int plane = grid.tiles() * BLOCK * MnistCnn.FILTERS;
        hidden = new float[blocks][WinogradTileLayout.PLANES][inputPlane];
        images = new float[blocks][WinogradTileLayout.PLANES][plane];
        lengths = new int[blocks];
        hiddenGradient = new float[WinogradTileLayout.PLANES][inputPlane];
        biases = new float[plane];
        biasSums = new float[plane];
        features = new float[Math.multiplyExact(capacity, MnistCnn.FEATURES)];
        mask = new float[features.length];
        scores = new float[capacity * MnistCnn.CLASSES];
        scoreGradient = new float[scores.length];
        first = new PatchConvolution(grid, MnistCnn.CHANNELS, blocks, BLOCK);
        second = new WinogradConvolution(grid, MnistCnn.CHANNELS, MnistCnn.FILTERS, capacity, BLOCK);
        pool = new BatchNormMaxPool(grid, MnistCnn.FILTERS, blocks, BLOCK);
        dense = new DenseLayer(capacity, MnistCnn.FEATURES, MnistCnn.CLASSES);
    }

    @Override
    public float gradient(float[] parameters, Batch batch, float[] gradient) {
        checkOpen();
        BatchCheck.training(model, capacity, batch, parameters, gradient);
        int rows = batch.size();
        int n = rows * MnistCnn.FEATURES;
        convolve(parameters, batch);
        BatchNormalization normalization = pool.normalization();
        normalization.measure(images, lengths, blocks(rows));
        normalization.movingChange(parameters, gradient, at.movingMean, at.movingVariance);
        dropout.mask(batch.seed(), mask, n);
        pool(parameters, rows);
        Dropout.apply(mask, features, n);
        score(parameters, rows);

        float loss = Softmax.loss(scores, batch, MnistCnn.CLASSES, scoreGradient);
        Bias.gradient(scoreGradient, rows, MnistCnn.CLASSES, gradient, at.denseBias);
        dense.backward(scoreGradient, rows, gradient, at.denseKernel, features);
        Dropout.apply(mask, features, n);
        pool.startGradient();
        for (int b = 0; b < blocks(rows); b++) {
            pool.gradient(features, b, b * BLOCK, records(b, rows), lengths[b]);
        }
        normalization.finishGradient(gradient, at.gamma, at.beta);
        convolveBackward(rows, gradient);
        return loss;
    }

    @Override
    public void predict(float[] parameters, Batch batch, float[] outputs) {
        checkOpen();
        BatchCheck.prediction(model, capacity, batch, parameters, outputs);
        convolve(parameters, batch);
        pool.normalization().assume(parameters, at.movingMean, at.movingVariance);
        pool(parameters, batch.size());
        score(parameters, batch.size());
        Softmax.probabilities(scores, batch.size(), MnistCnn.CLASSES, outputs);
    }

    private void convolve(float[] parameters, Batch batch) {
        first.load(parameters, at.firstKernel);
        second.load(parameters, at.secondKernel);
        Bias.spread(parameters, at.secondBias, MnistCnn.FILTERS, biases, biases.length);
        for (int b = 0; b < blocks(batch.size()); b++) {
            int records = records(b, batch.size());
            lengths[b] = biases.length / BLOCK * records;
            first.forward(batch.features(), b * BLOCK, records, b, hidden[b]);
            second.forward(b * BLOCK, records, hidden[b], images[b]);
            for (float[] plane : images[b]) {
                Relu.apply(plane, biases, lengths[b]);
            }
        }
    }

    private void convolveBackward(int rows, float[] gradient) {
        Arrays.fill(biasSums, 0);
        first.startGradient();
        second.startGradient();
        for (int b = 0; b < blocks(rows); b++) {
            pool.backward(b, images[b], lengths[b]);
            for (float[] plane : images[b]) {
                Bias.add(plane, biasSums, lengths[b]);
            }
            second.backward(b * BLOCK, records(b, rows), images[b], hiddenGradient);
            first.backward(b, records(b, rows), hidden[b], hiddenGradient);
        }
        Bias.gradient(biasSums, biasSums.length / MnistCnn.FILTERS, MnistCnn.FILTERS, gradient, at.secondBias);
        second.gradient(gradient, at.secondKernel);
        first.gradient(gradient, at.firstKernel);
    }

    private void pool(float[] parameters, int rows) {
        pool.normalization().load(parameters, at.gamma, at.beta);
        for (int b = 0; b < blocks(rows); b++) {
            pool.forward(b, images[b], b * BLOCK, records(b, rows), lengths[b], features);
        }
    }

    private void score(float[] parameters, int rows) {
        dense.forward(parameters, at.denseKernel, features, rows, scores);
        for (int row = 0; row < rows; row++) {
            for (int c = 0; c < MnistCnn.CLASSES; c++) {
                scores[row * MnistCnn.CLASSES + c] += parameters[at.denseBias + c];
            }
        }
    }

    private static int blocks(int rows) {
        return (rows + BLOCK - 1) / BLOCK;
    }

    private static int records(int block, int rows) {
        return Math.min(BLOCK, rows - block * BLOCK);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            first.close();
            second.close();
            dense.close();
        }
    }

    /** Returns, for example, {@code session of MnistCnn[784, 10, dropout 0.25] for up to 64 records}. */
    @Override
    public String toString() {
        return "session of " + model + " for up to " + capacity + " records";
    }

    /** Offset of each parameter in the flat vector; the first convolution's bias directly follows its kernel. */
    private record Offsets(
            int firstKernel,
            int secondKernel,
            int secondBias,
            int gamma,
            int beta,
            int denseKernel,
            int denseBias,
            int movingMean,
            int movingVariance) {
        static Offsets of(List<Parameter> p) {
            return new Offsets(
                    p.get(0).offset(),
                    p.get(2).offset(),
                    p.get(3).offset(),
                    p.get(4).offset(),
                    p.get(5).offset(),
                    p.get(6).offset(),
                    p.get(7).offset(),
                    p.get(8).offset(),
                    p.get(9).offset());
        }
    }
}
