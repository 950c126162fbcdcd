package dev.edl.runtime.zoo;

import dev.edl.runtime.internal.files.LocalFile;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.model.ParameterValues;
import dev.edl.runtime.onnx.OnnxGraph;
import dev.edl.runtime.onnx.OnnxModel;
import dev.edl.runtime.zoo.internal.graph.GraphLookup;
import dev.edl.runtime.zoo.internal.graph.GraphProbe;
import dev.edl.runtime.zoo.internal.graph.GraphSession;
import dev.edl.runtime.zoo.internal.graph.GraphSpec;
import dev.edl.runtime.zoo.internal.graph.LabelEncoding;
import dev.edl.runtime.zoo.internal.graph.SameDiffOnnxWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Model defined by a SameDiff graph: a classifier, or a regression.
 *
 * <p>A graph is not safe for several threads, so the model takes a supplier, and each session has its own graph. The
 * parameters are the graph's trainable variables, ordered by name.
 *
 * <pre>{@code
 * Supplier<SameDiff> graph = () -> {
 *   SameDiff sd = SameDiff.create();
 *   SDVariable in = sd.placeHolder("input", DataType.FLOAT, -1, 64);
 *   SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1, 10);
 *   SDVariable w = sd.var("w", new XavierInitScheme('c', 64, 10), DataType.FLOAT, 64, 10);
 *   SDVariable scores = in.mmul("scores", w);
 *   sd.nn.softmax("softmax", scores, 1);
 *   sd.loss.softmaxCrossEntropy("loss", label, scores, null);
 *   return sd;
 * };
 * Model model = SameDiffModel.builder(graph)
 *     .features("input").labels("label").oneHot(10).loss("loss").predictions("softmax").build();
 * }</pre>
 *
 * <p>Gradients are those of the named loss alone, regardless of the losses that the graph marks. The model is immutable.
 * The supplier is called by the thread that builds, initializes or opens the model.
 */
public final class SameDiffModel implements OnnxModel {
    private final Supplier<SameDiff> graph;
    private final GraphSpec spec;
    private final ParameterLayout layout;
    private final int outputs;
    private final String identity;

    private SameDiffModel(Supplier<SameDiff> graph, GraphSpec spec, String identity) {
        this.graph = graph;
        this.identity = identity;
        this.spec = spec;
        SameDiff first = graph.get();
        GraphProbe probe = new GraphProbe(first, spec);
        layout = layout(first);
        outputs = probe.outputs();
        probe.requireMeanLoss();
        probe.requireMeanGradient(GraphSession.createGradients(first, spec));
    }

    /**
     * Returns a builder of a model.
     *
     * @param graph returns a new graph at every call, with the same variables each time
     */
    public static Builder builder(Supplier<SameDiff> graph) {
        return new Builder(graph);
    }

    /**
     * Returns a builder of a model from a graph that {@code SameDiff.save} wrote.
     *
     * <p>Initial values are those in the file, regardless of the seed. The file is read at each build, initialization and
     * open, so it must stay.
     *
     * @throws IllegalArgumentException when there is no such file; {@link Builder#build} throws it when the file
     *     contains no graph
     */
    public static Builder builder(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(
                    "there is no graph at " + file + "; sd.save(new File(\"graph.fb\"), false) writes one");
        }
        return builder(() -> read(file));
    }

    private static SameDiff read(Path file) {
        SameDiff graph;
        try (LocalFile local = LocalFile.of(file)) {
            graph = SameDiff.load(local.file(), false);
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException(file + " holds no graph that SameDiff can load: " + e.getMessage(), e);
        }
        // SameDiff reads meaningless bytes as an empty graph.
        if (graph.variables().isEmpty()) {
            throw new IllegalArgumentException(file + " holds no graph that SameDiff can load: it has no variables");
        }
        return graph;
    }

    /** Returns the trainable variables of a graph, ordered by name. */
    static ParameterLayout layout(SameDiff graph) {
        ParameterLayout.Builder builder = ParameterLayout.builder();
        for (SDVariable v : new GraphLookup(graph).trainable()) {
            long[] shape = v.getArr().shape();
            int[] dimensions = new int[shape.length];
            for (int d = 0; d < shape.length; d++) {
                dimensions[d] = Math.toIntExact(shape[d]);
            }
            builder.add(v.name(), dimensions);
        }
        return builder.build();
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public ParameterLayout layout() {
        return layout;
    }

    @Override
    public int features() {
        return spec.featureWidth();
    }

    /**
     * Returns 1, the class index or the probability of class 1; for {@linkplain Builder#values values}, the number of
     * values.
     */
    @Override
    public int labels() {
        return spec.form().labels(spec.labelWidth());
    }

    /** Returns the mean squared error for {@linkplain Builder#values values}; otherwise the metrics of a classifier. */
    @Override
    public List<Metric> metrics() {
        return spec.form() == LabelEncoding.VALUES ? List.of(Metric.meanSquaredError()) : OnnxModel.super.metrics();
    }

    /** Returns the number of ids that the embedding tables look up in one record; 0 without tables. */
    @Override
    public int ids() {
        return spec.ids();
    }

    /** Returns the embedding tables, in the order in which they were added to the builder. */
    @Override
    public List<EmbeddingTable> embeddings() {
        return spec.tables();
    }

    @Override
    public int outputs() {
        return outputs;
    }

    /**
     * Writes the values that the variables of a new graph have.
     *
     * <p>The calling thread's ND4J generator is seeded first. A graph that draws its values from it, as SameDiff's
     * initialization schemes do, therefore depends on this seed.
     */
    @Override
    public void initialize(float[] parameters, long seed) {
        if (parameters.length != layout.size()) {
            throw new IllegalArgumentException(
                    this + ": the parameters must have " + layout.size() + " floats, was " + parameters.length);
        }
        Nd4j.getRandom().setSeed(seed);
        SameDiff drawn = sameGraph();
        layout.parameters().forEach(p -> {
            INDArray values = drawn.getVariable(p.name()).getArr();
            GraphSession.copy(values, parameters, p);
        });
    }

    @Override
    public Session open(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException(this + ": a session's capacity must be at least 1, was " + capacity);
        }
        Backend.oneThreadPerWorker();
        return new GraphSession(this, spec, sameGraph(), capacity);
    }

    /** Adds the graph from features and tables to the predictions, without the loss. */
    @Override
    public String addTo(OnnxGraph onnx, String features, ParameterValues trained) {
        OnnxLayers layers = new OnnxLayers(onnx, layout, trained.weights());
        List<String> vectors = new ArrayList<>();
        for (int t = 0; t < spec.tables().size(); t++) {
            EmbeddingTable table = spec.tables().get(t);
            long[] columns = LongStream.range(table.firstColumn(), table.firstColumn() + table.columns())
                    .toArray();
            String axis = onnx.constant(table.name() + "/columns", columns, columns.length);
            String ids = onnx.node("Gather", List.of(IDS, axis), Map.of("axis", 1L));
            vectors.add(layers.rows(ids, trained.tables().get(t)));
        }
        return new SameDiffOnnxWriter(sameGraph(), spec, onnx, layers::parameter).write(features, vectors, outputs);
    }

    /** Returns the first operator of the predictions that has no ONNX counterpart, with the variable that it computes. */
    @Override
    public Optional<String> onnxRefusal() {
        OnnxGraph dry = new OnnxGraph("dry run");
        List<String> vectors = new ArrayList<>();
        try {
            // The names of an export without its values; two equal ones are refused.
            dry.floats(FEATURES);
            dry.longs(IDS);
            for (EmbeddingTable table : spec.tables()) {
                dry.constant(table.name() + "/columns", new long[0]);
                vectors.add(dry.constant(table.name(), new float[0]));
            }
            String predictions = new SameDiffOnnxWriter(
                            sameGraph(), spec, dry, name -> dry.constant(name, new float[0]))
                    .write(FEATURES, vectors, outputs);
            dry.output(predictions, "outputs");
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private SameDiff sameGraph() {
        SameDiff next = graph.get();
        ParameterLayout found = layout(next);
        if (!found.equals(layout)) {
            throw new IllegalStateException(
                    this + ": the supplier must make the same graph at every call; its variables were " + layout
                            + " and are now " + found);
        }
        return next;
    }

    /** Returns, for example, {@code SameDiffModel[64 features, 10 outputs, loss "loss", [w[64, 10]]]}. */
    @Override
    public String toString() {
        return "SameDiffModel[" + spec.featureWidth() + " features, "
                + (spec.tables().isEmpty() ? "" : "ids in " + spec.tables() + ", ") + outputs + " outputs, loss \""
                + spec.loss()
                + "\", " + layout + "]";
    }

    /** Builder that names the parts of the graph; all of them are required. */
    public static final class Builder {
        private final Supplier<SameDiff> graph;
        private final Map<EmbeddingTable, String> tables = new LinkedHashMap<>();
        private @Nullable String features;
        private @Nullable String labels;
        private @Nullable String loss;
        private @Nullable String predictions;
        private @Nullable LabelEncoding form;
        private int labelWidth;
        private String identity = "";

        private Builder(Supplier<SameDiff> graph) {
            this.graph = graph;
        }

        /** Sets the text that must be equal in all processes of a training. */
        Builder identity(String text) {
            identity = text;
            return this;
        }

        /**
         * Sets the FLOAT placeholder of the features, of shape [-1, ...]; a record's floats fill its row in c order.
         *
         * <p>Optional for a graph with tables.
         */
        public Builder features(String placeholder) {
            features = placeholder;
            return this;
        }

        /**
         * Adds an embedding table whose vectors become an input of the graph.
         *
         * @param table the table, which the parameter servers keep
         * @param placeholder a FLOAT placeholder of shape [-1, columns, dimension] for the vectors of a record's ids; a
         *     vector is 0 for a missing id. The table's rows learn from the gradient of the loss with respect to this
         *     placeholder.
         */
        public Builder table(EmbeddingTable table, String placeholder) {
            if (tables.keySet().stream().anyMatch(t -> t.name().equals(table.name()))
                    || tables.containsValue(placeholder)) {
                throw new IllegalArgumentException("table " + table.name()
                        + ": each table needs a unique name and a separate placeholder, was \"" + placeholder
                        + "\" after "
                        + tables);
            }
            tables.put(table, placeholder);
            return this;
        }

        /**
         * Sets the placeholder of the labels.
         *
         * <p>{@link #oneHot}, {@link #indices}, {@link #probability} or {@link #values} sets their form.
         */
        public Builder labels(String placeholder) {
            labels = placeholder;
            return this;
        }

        /** Sets labels as rows of zeros with a one at the class: a FLOAT placeholder of shape [-1, classes]. */
        public Builder oneHot(int numberOfClasses) {
            return form(LabelEncoding.ONE_HOT, numberOfClasses);
        }

        /** Sets labels as class indices from 0: an INT32, INT64 or FLOAT placeholder of shape [-1] or [-1, 1]. */
        public Builder indices(int numberOfClasses) {
            return form(LabelEncoding.INDEX, numberOfClasses);
        }

        /**
         * Sets labels as the probability of class 1, so 0 or 1 for a known class: a FLOAT placeholder of shape [-1] or
         * [-1, 1].
         */
        public Builder probability() {
            return labelled(LabelEncoding.PROBABILITY, 1);
        }

        /**
         * Sets labels as numbers, {@code number} a record: a FLOAT placeholder of shape [-1, number], or [-1] for one.
         */
        public Builder values(int number) {
            if (number < 1) {
                throw new IllegalArgumentException("a regression needs at least 1 label per record, was " + number);
            }
            return labelled(LabelEncoding.VALUES, number);
        }

        /** Sets the variable of the loss: one number, the mean over the records. */
        public Builder loss(String variable) {
            loss = variable;
            return this;
        }

        /** Sets the variable of the predictions: one row for each record, computed from features and ids alone. */
        public Builder predictions(String variable) {
            predictions = variable;
            return this;
        }

        /**
         * Builds the model; checks it by running one graph on synthetic records.
         *
         * @throws IllegalArgumentException when a name is missing or the graph is unsuitable; the message names the
         *     variable and the rule
         * @throws MissingBackendException when there is no ND4J backend
         */
        public SameDiffModel build() {
            Backend.require();
            if (form == null) {
                throw new IllegalArgumentException(
                        "set the form of the labels: oneHot(10) or indices(10), with the number of classes,"
                                + " probability() for two classes, or values(1) for numbers");
            }
            GraphSpec spec = GraphSpec.of(
                    graph.get(),
                    tables.isEmpty() ? given("features", features) : features,
                    tables,
                    given("labels", labels),
                    form,
                    labelWidth,
                    given("loss", loss),
                    given("predictions", predictions));
            return new SameDiffModel(graph, spec, identity);
        }

        private Builder form(LabelEncoding labelForm, int numberOfClasses) {
            if (numberOfClasses < 2) {
                throw new IllegalArgumentException("a classifier needs at least 2 classes, was " + numberOfClasses);
            }
            return labelled(labelForm, numberOfClasses);
        }

        private Builder labelled(LabelEncoding labelForm, int width) {
            form = labelForm;
            labelWidth = width;
            return this;
        }

        private static String given(String role, @Nullable String name) {
            if (name == null) {
                throw new IllegalArgumentException(
                        role + ": no variable of the graph was named, for example ." + role + "(\"" + role + "\")");
            }
            return name;
        }
    }
}
