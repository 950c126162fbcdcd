package dev.edl.runtime.model;

import dev.edl.runtime.Batch;
import dev.edl.runtime.Model;
import dev.edl.runtime.Parameter;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.api.OutAndGrad;
import org.nd4j.autodiff.samediff.array.SingleThreadArrayHolder;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** One worker's graph for a {@link SameDiffModel}. */
final class GraphSession implements Model.Session {
    private final SameDiffModel model;
    private final GraphSpec spec;
    private final int capacity;
    private final SameDiff graph;
    private final List<String> names;
    /** In the order of the layout; the graph computes on these very arrays. */
    private final List<INDArray> variables;

    private boolean closed;

    GraphSession(SameDiffModel model, GraphSpec spec, SameDiff graph, int capacity) {
        this.model = model;
        this.spec = spec;
        this.graph = graph;
        this.capacity = capacity;
        // A graph uses the very array that its variable was made of, which another graph may share.
        graph.setArrayHolders(new SingleThreadArrayHolder(), new SingleThreadArrayHolder(), true);
        try (MemoryWorkspace outside = Nd4j.getMemoryManager().scopeOutOfWorkspaces()) {
            for (SDVariable v : new GraphNames(graph).trainable()) {
                graph.setArrayForVariable(v.name(), v.getArr().dup('c'));
            }
        }
        names = createGradients(graph, spec.loss());
        variables = names.stream().map(n -> graph.getVariable(n).getArr()).toList();
    }

    /** Makes the gradient function of a graph and returns the names of the trainable variables. */
    static List<String> createGradients(SameDiff graph, String loss) {
        List<SDVariable> trainable = new GraphNames(graph).trainable();
        List<String> names = trainable.stream().map(SDVariable::name).toList();
        graph.setLossVariables(loss);
        QuietGradients.create(graph, names);
        for (SDVariable v : trainable) {
            if (v.gradient() == null) {
                throw new IllegalArgumentException("variable \"" + v.name() + "\" has no part in the loss \"" + loss
                        + "\"; leave it out, or make it a constant by sd.constant(...)");
            }
        }
        return names;
    }

    @Override
    public float gradient(float[] parameters, Batch batch, float[] gradient) {
        checkOpen();
        BatchCheck.training(model, capacity, batch, parameters, gradient);
        put(parameters);
        INDArray labels = Nd4j.create(spec.labelType(), GraphSpec.rows(batch.size(), spec.labelShape()), 'c');
        spec.form().write(batch, spec.classes(), labels);
        OutAndGrad result = graph.calculateGradientsAndOutputs(
                Map.of(spec.features(), features(batch), spec.labels(), labels), List.of(spec.loss()), names);
        List<Parameter> layout = model.layout().parameters();
        for (int i = 0; i < names.size(); i++) {
            copy(named(result.getGradients(), names.get(i)), gradient, layout.get(i));
        }
        return named(result.getOutputs(), spec.loss()).getFloat(0);
    }

    @Override
    public void predict(float[] parameters, Batch batch, float[] outputs) {
        checkOpen();
        BatchCheck.prediction(model, capacity, batch, parameters, outputs);
        put(parameters);
        INDArray result =
                named(graph.output(Map.of(spec.features(), features(batch)), spec.predictions()), spec.predictions());
        copy(result, outputs, 0, batch.size() * model.outputs());
    }

    /** Copies the elements of an array in c order to where its parameter stands. */
    static void copy(INDArray from, float[] to, Parameter parameter) {
        copy(from, to, parameter.offset(), parameter.length());
    }

    private static void copy(INDArray from, float[] to, int offset, int length) {
        if (from.length() != length) {
            throw new IllegalStateException("the graph gave " + from.length() + " floats where " + length + " belong");
        }
        // The pointer alone does not keep the memory: the array must live until the copy is done.
        INDArray owner = contiguous(from) ? from : from.dup('c');
        try {
            ((FloatPointer) owner.data().addressPointer()).get(to, offset, length);
        } finally {
            Reference.reachabilityFence(owner);
        }
    }

    private static INDArray named(Map<String, INDArray> results, String name) {
        return Objects.requireNonNull(results.get(name), () -> "the graph gave nothing for \"" + name + "\"");
    }

    private static boolean contiguous(INDArray array) {
        return !array.isView() && Arrays.equals(array.stride(), Nd4j.getStrides(array.shape(), 'c'));
    }

    private void put(float[] parameters) {
        List<Parameter> layout = model.layout().parameters();
        for (int i = 0; i < variables.size(); i++) {
            Parameter p = layout.get(i);
            ((FloatPointer) variables.get(i).data().addressPointer()).put(parameters, p.offset(), p.length());
        }
    }

    private INDArray features(Batch batch) {
        INDArray features =
                Nd4j.createUninitialized(DataType.FLOAT, GraphSpec.rows(batch.size(), spec.featureShape()), 'c');
        ((FloatPointer) features.data().addressPointer()).put(batch.features(), 0, batch.size() * batch.featureWidth());
        return features;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** Frees the variables; the graph's own buffers go with the graph. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            variables.forEach(INDArray::close);
        }
    }

    /** For example {@code session of SameDiffModel[...] for up to 64 records}. */
    @Override
    public String toString() {
        return "session of " + model + " for up to " + capacity + " records";
    }
}
