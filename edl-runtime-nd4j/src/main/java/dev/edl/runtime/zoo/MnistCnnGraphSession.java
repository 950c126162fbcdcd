package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.zoo.internal.graph.BatchCheck;
import dev.edl.runtime.zoo.internal.graph.GradientFunctionFactory;
import dev.edl.runtime.zoo.internal.layers.BatchNormalization;
import dev.edl.runtime.zoo.internal.layers.Dropout;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.api.OutAndGrad;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Session with one worker's graph for a {@link SameDiffMnistCnn}. */
final class MnistCnnGraphSession implements Model.Session {
    private final SameDiffMnistCnn model;
    private final int capacity;
    private final List<Parameter> trained;
    private final Parameter movingMean;
    private final Parameter movingVariance;
    private final SameDiff graph;
    private final List<String> names;
    private final Dropout dropout;
    private final float[] mask;
    private boolean closed;

    MnistCnnGraphSession(SameDiffMnistCnn model, int capacity) {
        this.model = model;
        this.capacity = capacity;
        dropout = new Dropout(model.dropout());
        List<Parameter> all = model.layout().parameters();
        trained =
                all.stream().filter(p -> p.offset() < model.layout().trained()).toList();
        movingMean = all.get(trained.size());
        movingVariance = all.get(trained.size() + 1);
        mask = new float[Math.multiplyExact(capacity, MnistCnn.FEATURES)];
        names = trained.stream().map(MnistCnnGraph::variable).toList();
        graph = MnistCnnGraph.of(trained);
        graph.setLossVariables(MnistCnnGraph.LOSS);
        GradientFunctionFactory.create(graph, names);
    }

    @Override
    public float gradient(float[] parameters, Batch batch, float[] gradient) {
        checkOpen();
        BatchCheck.training(model, capacity, batch, parameters, gradient);
        int rows = batch.size();
        load(parameters);
        dropout.mask(batch.seed(), mask, rows * MnistCnn.FEATURES);
        INDArray labels = Nd4j.create(DataType.FLOAT, rows, MnistCnn.CLASSES);
        for (int row = 0; row < rows; row++) {
            labels.putScalar(row, batch.classLabel(row, MnistCnn.CLASSES), 1);
        }
        OutAndGrad result = graph.calculateGradientsAndOutputs(
                Map.of(
                        MnistCnnGraph.INPUT, images(batch),
                        MnistCnnGraph.MASK, array(mask, 0, rows, MnistCnn.FEATURES),
                        MnistCnnGraph.LABELS, labels),
                List.of(MnistCnnGraph.LOSS, MnistCnnGraph.BATCH_MEAN, MnistCnnGraph.BATCH_VARIANCE),
                names);
        for (int i = 0; i < names.size(); i++) {
            Parameter p = trained.get(i);
            copy(named(result.getGradients(), names.get(i)), gradient, p.offset(), p.length());
        }
        move(parameters, named(result.getOutputs(), MnistCnnGraph.BATCH_MEAN), movingMean, gradient);
        move(parameters, named(result.getOutputs(), MnistCnnGraph.BATCH_VARIANCE), movingVariance, gradient);
        return named(result.getOutputs(), MnistCnnGraph.LOSS).getFloat(0);
    }

    private static void move(float[] parameters, INDArray batch, Parameter average, float[] gradient) {
        copy(batch, gradient, average.offset(), average.length());
        for (int i = average.offset(); i < average.end(); i++) {
            gradient[i] = (float) ((1 - BatchNormalization.MOMENTUM) * (gradient[i] - parameters[i]));
        }
    }

    @Override
    public void predict(float[] parameters, Batch batch, float[] outputs) {
        checkOpen();
        BatchCheck.prediction(model, capacity, batch, parameters, outputs);
        load(parameters);
        Map<String, INDArray> result = graph.output(
                Map.of(
                        MnistCnnGraph.INPUT, images(batch),
                        MnistCnnGraph.MOVING_MEAN, array(parameters, movingMean.offset(), movingMean.length()),
                        MnistCnnGraph.MOVING_VARIANCE,
                                array(parameters, movingVariance.offset(), movingVariance.length())),
                MnistCnnGraph.SOFTMAX);
        copy(named(result, MnistCnnGraph.SOFTMAX), outputs, 0, batch.size() * MnistCnn.CLASSES);
    }

    private void load(float[] parameters) {
        for (int i = 0; i < names.size(); i++) {
            Parameter p = trained.get(i);
            INDArray variable = graph.getVariable(names.get(i)).getArr();
            ((FloatPointer) variable.data().addressPointer()).put(parameters, p.offset(), p.length());
        }
    }

    private static INDArray images(Batch batch) {
        return array(batch.features(), 0, batch.size(), MnistCnn.SIDE, MnistCnn.SIDE, 1);
    }

    private static INDArray array(float[] from, int offset, long... shape) {
        INDArray array = Nd4j.createUninitialized(DataType.FLOAT, shape, 'c');
        ((FloatPointer) array.data().addressPointer()).put(from, offset, Math.toIntExact(array.length()));
        return array;
    }

    private static void copy(INDArray from, float[] to, int offset, int length) {
        // The pointer alone does not keep the memory: the array must live until the copy is done.
        INDArray ordered = from.dup('c');
        try {
            ((FloatPointer) ordered.data().addressPointer()).get(to, offset, length);
        } finally {
            Reference.reachabilityFence(ordered);
        }
    }

    private static INDArray named(Map<String, INDArray> results, String name) {
        return Objects.requireNonNull(results.get(name), () -> "the graph returned no output for \"" + name + "\"");
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** Ends the use of the session; the graph's buffers are freed with the graph. */
    @Override
    public void close() {
        closed = true;
    }

    /** Returns, for example, {@code session of SameDiffMnistCnn[784, 10, dropout 0.25] for up to 64 records}. */
    @Override
    public String toString() {
        return "session of " + model + " for up to " + capacity + " records";
    }
}
