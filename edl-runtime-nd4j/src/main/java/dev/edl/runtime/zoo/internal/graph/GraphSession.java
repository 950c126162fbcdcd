package dev.edl.runtime.zoo.internal.graph;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.api.OutAndGrad;
import org.nd4j.autodiff.samediff.array.SingleThreadArrayHolder;
import org.nd4j.autodiff.samediff.internal.InferenceSession;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Session with one worker's graph for a model that is a SameDiff graph. */
public final class GraphSession implements Model.Session {
    /** SameDiff's name of the gradient function. */
    private static final String GRADIENT_FUNCTION = "grad";

    private final Model model;
    private final GraphSpec spec;
    private final int capacity;
    private final SameDiff graph;
    /** Names of the variables with gradients: the trainable variables, then the placeholders of the tables. */
    private final List<String> names;

    private final GraphInputArrays arrays;
    private final ArrayPool pool = new ArrayPool();
    /** Arrays of the trainable variables in the order of the layout; the graph computes on these arrays. */
    private final List<INDArray> variables;

    private boolean closed;

    public GraphSession(Model model, GraphSpec spec, SameDiff graph, int capacity) {
        this.model = model;
        this.spec = spec;
        this.graph = graph;
        this.capacity = capacity;
        // A graph uses the array from which its variable was created, and another graph may share it.
        graph.setArrayHolders(new SingleThreadArrayHolder(), new SingleThreadArrayHolder(), true);
        try (MemoryWorkspace outside = Nd4j.getMemoryManager().scopeOutOfWorkspaces()) {
            for (SDVariable v : new GraphLookup(graph).trainable()) {
                graph.setArrayForVariable(v.name(), v.getArr().dup('c'));
            }
        }
        names = createGradients(graph, spec);
        variables = model.layout().parameters().stream()
                .map(p -> graph.getVariable(p.name()).getArr())
                .toList();
        arrays = new GraphInputArrays(spec, capacity);
    }

    /**
     * Creates the gradient function of a graph and returns the names of the trainable variables, then of the tables'
     * placeholders.
     */
    public static List<String> createGradients(SameDiff graph, GraphSpec spec) {
        List<String> names = new ArrayList<>();
        new GraphLookup(graph).trainable().forEach(v -> names.add(v.name()));
        int trainable = names.size();
        spec.tableInputs().forEach(input -> names.add(input.name()));
        graph.setLossVariables(spec.loss());
        GradientFunctionFactory.create(graph, names);
        for (String name : names) {
            if (graph.getVariable(name).gradient() == null) {
                throw new IllegalArgumentException(
                        names.indexOf(name) < trainable
                                ? "variable \"" + name + "\" has no part in the loss \"" + spec.loss()
                                        + "\"; leave it out, or make it a constant by sd.constant(...)"
                                : "placeholder \"" + name + "\" of a table has no part in the loss \"" + spec.loss()
                                        + "\"; leave its table out");
            }
        }
        return List.copyOf(names);
    }

    @Override
    public float gradient(float[] parameters, Batch batch, float[] gradient) {
        checkOpen();
        BatchCheck.training(model, capacity, batch, parameters, gradient);
        put(parameters);
        usePool(batch.size());
        OutAndGrad result = graph.calculateGradientsAndOutputs(arrays.forTraining(batch), List.of(spec.loss()), names);
        List<Parameter> layout = model.layout().parameters();
        for (int i = 0; i < layout.size(); i++) {
            copy(named(result.getGradients(), names.get(i)), gradient, layout.get(i));
        }
        for (int t = 0; t < spec.tables().size(); t++) {
            arrays.scatter(named(result.getGradients(), names.get(layout.size() + t)), batch, t);
        }
        return named(result.getOutputs(), spec.loss()).getFloat(0);
    }

    @Override
    public void predict(float[] parameters, Batch batch, float[] outputs) {
        checkOpen();
        BatchCheck.prediction(model, capacity, batch, parameters, outputs);
        put(parameters);
        INDArray result = named(graph.output(arrays.forPrediction(batch), spec.predictions()), spec.predictions());
        GraphInputArrays.copy(result, outputs, 0, batch.size() * model.outputs());
    }

    /** Copies the elements of an array, in c order, to a parameter's range in the flat vector. */
    public static void copy(INDArray from, float[] to, Parameter parameter) {
        GraphInputArrays.copy(from, to, parameter.offset(), parameter.length());
    }

    private static INDArray named(Map<String, INDArray> results, String name) {
        return Objects.requireNonNull(results.get(name), () -> "the graph returned no output for \"" + name + "\"");
    }

    private void usePool(int records) {
        pool.begin(records);
        SameDiff function = graph.getFunction(GRADIENT_FUNCTION);
        // SameDiff keeps one session for each calling thread.
        function.getSessions()
                .computeIfAbsent(Thread.currentThread().getId(), thread -> new InferenceSession(function))
                .setMmgr(pool);
    }

    private void put(float[] parameters) {
        List<Parameter> layout = model.layout().parameters();
        for (int i = 0; i < variables.size(); i++) {
            Parameter p = layout.get(i);
            ((FloatPointer) variables.get(i).data().addressPointer()).put(parameters, p.offset(), p.length());
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** Frees variables and inputs; the graph's own buffers are freed with the graph. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            variables.forEach(INDArray::close);
            arrays.close();
            pool.close();
        }
    }

    /** Returns, for example, {@code session of SameDiffModel[...] for up to 64 records}. */
    @Override
    public String toString() {
        return "session of " + model + " for up to " + capacity + " records";
    }
}
