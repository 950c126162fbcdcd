package dev.edl.runtime.onnx;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.data.Standardization;
import dev.edl.runtime.model.Model;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes a trained model as ONNX, for any program with an ONNX runtime.
 *
 * <pre>{@code
 * byte[] onnx = OnnxExport.of(run.awaitResult(limit).model()).toBytes();
 * byte[] raw = OnnxExport.of(trained.using(Mlp.of(4, 3))).standardized(split.standardization()).toBytes();
 * }</pre>
 *
 * <p>Inputs and output of the file:
 *
 * <ul>
 *   <li>{@code features}: float [batch, features]; absent if the model takes none.
 *   <li>{@code ids}: int64 [batch, ids]; absent if the model takes none.
 *   <li>{@code outputs}: float [batch, outputs], the values of {@link TrainedModel#predict(float...)}.
 * </ul>
 *
 * <p>The metadata have {@code edl.version}, the number of updates, and {@code edl.features}, {@code edl.classes} and the
 * other kinds of names, if known, as JSON. Immutable.
 */
public final class OnnxExport {
    private final TrainedModel trained;
    private final OnnxModel model;
    private final @Nullable Standardization standardization;

    private OnnxExport(TrainedModel trained, OnnxModel model, @Nullable Standardization standardization) {
        this.trained = trained;
        this.model = model;
        this.standardization = standardization;
    }

    /**
     * Returns the export of a trained model.
     *
     * @throws IllegalArgumentException when the model has no ONNX form
     * @throws IllegalStateException when the model was read from a file and {@link TrainedModel#using} has not set the
     *     network that computes with it
     */
    public static OnnxExport of(TrainedModel trained) {
        Model model = trained.computing();
        refusal(model).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        return new OnnxExport(trained, (OnnxModel) model, null);
    }

    /** Returns the reason why a model has no ONNX form; empty if it has one. */
    public static Optional<String> refusal(Model model) {
        Optional<String> reason = model instanceof OnnxModel onnx
                ? onnx.onnxRefusal()
                : Optional.of(
                        "its class must implement " + OnnxModel.class.getName() + ", as Mlp, MnistCnn and DeepFm do");
        return reason.map(text -> model + " has no ONNX form: " + text + "; an .npz file takes any model");
    }

    /**
     * Returns an export whose file takes features as they were before a standardization.
     *
     * @throws IllegalArgumentException when the number of features differs
     */
    public OnnxExport standardized(Standardization by) {
        if (by.means().length != model.features()) {
            throw new IllegalArgumentException("the standardization must have " + model.features()
                    + " features, those of " + model + ", had " + by.means().length);
        }
        return new OnnxExport(trained, model, by);
    }

    /**
     * Returns the content of the file.
     *
     * @throws IllegalArgumentException when the parameters have more than 1 GiB
     */
    public byte[] toBytes() {
        OnnxGraph graph = new OnnxGraph(model.toString());
        if (model.features() > 0) {
            graph.floats(OnnxModel.FEATURES, OnnxGraph.BATCH, model.features());
        }
        if (model.ids() > 0) {
            graph.longs(OnnxModel.IDS, OnnxGraph.BATCH, model.ids());
        }
        String outputs = model.addTo(graph, features(graph), trained.fittedTo(model));
        graph.output(outputs, "outputs", OnnxGraph.BATCH, model.outputs());
        graph.metadata("edl.version", String.valueOf(trained.version()));
        trained.names().metadata().forEach((kind, names) -> graph.metadata("edl." + kind, names));
        return graph.toBytes(version(), trained.toString());
    }

    private String features(OnnxGraph graph) {
        Standardization by = standardization;
        if (by == null) {
            return OnnxModel.FEATURES;
        }
        String mean = graph.constant("standardization/mean", floats(by.means()), model.features());
        String deviation = graph.constant("standardization/deviation", floats(by.deviations()), model.features());
        return graph.node("Div", List.of(graph.node("Sub", List.of(OnnxModel.FEATURES, mean)), deviation));
    }

    private static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    private static String version() {
        String version = OnnxExport.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version.toLowerCase(Locale.ROOT);
    }

    /** Returns, for example, {@code ONNX of Mlp[64, 32, 10]}. */
    @Override
    public String toString() {
        return "ONNX of " + model;
    }
}
