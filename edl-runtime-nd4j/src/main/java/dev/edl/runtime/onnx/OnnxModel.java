package dev.edl.runtime.onnx;

import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterValues;
import java.util.Optional;

/** A model whose predictions can be written as an ONNX graph. */
public interface OnnxModel extends Model {
    /** Name of the graph's input with the features of records: float [batch, features]. */
    String FEATURES = "features";

    /** Name of the graph's input with the ids of records: int64 [batch, ids]. */
    String IDS = "ids";

    /**
     * Adds the nodes that compute the outputs of {@link Model.Session#predict}.
     *
     * @param graph a graph whose inputs are declared
     * @param features value with the features; {@link #FEATURES}, unless they are standardized first
     * @param trained values of the parameters and tables, in the order of this model
     * @return the value with the outputs: float [batch, outputs]
     * @throws IllegalArgumentException when a table cannot be written
     */
    String addTo(OnnxGraph graph, String features, ParameterValues trained);

    /** Returns the reason why this model cannot be written, regardless of its parameters; empty by default. */
    default Optional<String> onnxRefusal() {
        return Optional.empty();
    }
}
