package dev.edl.runtime.zoo.internal.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Runs a graph on identical synthetic records, to find properties that its names do not show. */
public final class GraphProbe {
    private final SameDiff graph;
    private final GraphSpec spec;

    public GraphProbe(SameDiff graph, GraphSpec spec) {
        this.graph = graph;
        this.spec = spec;
    }

    /** Returns the number of floats in the predictions for one record. */
    public int outputs() {
        INDArray two = run(2, spec.predictions());
        if (two.dataType() != DataType.FLOAT || two.rank() < 1 || two.size(0) != 2) {
            throw new IllegalArgumentException("predictions: \"" + spec.predictions()
                    + "\" must be FLOAT and give a row for each record, was " + two.dataType() + " "
                    + Arrays.toString(two.shape()) + " for 2 records");
        }
        return Math.toIntExact(two.length() / 2);
    }

    public void requireMeanLoss() {
        INDArray two = run(2, spec.loss());
        if (two.dataType() != DataType.FLOAT || two.length() != 1) {
            throw new IllegalArgumentException("loss: \"" + spec.loss()
                    + "\" must be one FLOAT, the mean over the records, for example by .mean(), was " + two.dataType()
                    + " "
                    + Arrays.toString(two.shape()) + " for 2 records");
        }
        float ofTwo = two.getFloat(0);
        float ofOne = run(1, spec.loss()).getFloat(0);
        // Synthetic records may be outside the graph's domain; a result that is not finite proves nothing.
        if (Float.isFinite(ofOne) && Float.isFinite(ofTwo) && Math.abs(ofTwo - ofOne) > 1e-3 * Math.abs(ofOne)) {
            throw new IllegalArgumentException("loss: \"" + spec.loss()
                    + "\" must be the mean over the records, but was " + ofOne + " for a record and " + ofTwo
                    + " for the same record twice; a sum becomes a mean by .mean() in place of .sum()");
        }
    }

    /**
     * Rejects a graph whose gradient doubles for a duplicated record.
     *
     * <p>SameDiff's gradient of sparseSoftmaxCrossEntropy ignores operations after it (seen in 1.0.0-M2.1), so with a
     * mean it is too large by the number of records. Only an exact doubling counts, because dropout makes any two
     * gradients differ.
     */
    public void requireMeanGradient(List<String> names) {
        Map<String, INDArray> ofOne = graph.calculateGradients(placeholders(1), names);
        Map<String, INDArray> ofTwo = graph.calculateGradients(placeholders(2), names);
        boolean zero = true;
        for (String name : names) {
            INDArray one = Objects.requireNonNull(ofOne.get(name));
            INDArray two = Objects.requireNonNull(ofTwo.get(name));
            double size = one.norm2Number().doubleValue();
            zero &= size == 0;
            if (!(two.distance2(one.mul(2)) <= 1e-3 * size)) {
                return;
            }
        }
        if (!zero) {
            throw new IllegalArgumentException(
                    "loss: the gradient of \"" + spec.loss() + "\" doubles when the same record"
                            + " is given twice, though the loss does not; SameDiff's sparseSoftmaxCrossEntropy does this when a mean"
                            + " follows it: in its place use softmaxCrossEntropy, with sd.oneHot(...) for index labels");
        }
    }

    /** Returns the shapes of variables that do not depend on the labels, for 2 records. */
    Map<String, long[]> shapes(Collection<String> variables) {
        Map<String, INDArray> placeholders = placeholders(2);
        placeholders.remove(spec.labels().name());
        Map<String, long[]> shapes = new HashMap<>();
        graph.output(placeholders, variables.toArray(String[]::new))
                .forEach((name, array) -> shapes.put(name, array.shape()));
        return shapes;
    }

    private INDArray run(int records, String variable) {
        Map<String, INDArray> placeholders = placeholders(records);
        if (variable.equals(spec.predictions())) {
            placeholders.remove(spec.labels().name());
        }
        try {
            return Objects.requireNonNull(graph.output(placeholders, variable).get(variable));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "the graph does not compute \"" + variable + "\" from "
                            + known(variable.equals(spec.predictions())) + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private String known(boolean alone) {
        String inputs = spec.features() == null
                ? "the ids' vectors"
                : spec.tables().isEmpty() ? "the features" : "the features and the ids' vectors";
        return alone ? inputs + " alone" : inputs + " and the labels";
    }

    private Map<String, INDArray> placeholders(int records) {
        Map<String, INDArray> placeholders = new HashMap<>();
        List<GraphInput> inputs = new ArrayList<>(spec.tableInputs());
        if (spec.features() != null) {
            inputs.add(spec.features());
        }
        inputs.forEach(
                input -> placeholders.put(input.name(), Nd4j.valueArrayOf(input.shape(records), 0.5, DataType.FLOAT)));
        // Value labels are 1: an untrained graph often predicts 0, which would hide that a loss is a sum.
        double value = spec.form() == LabelEncoding.VALUES ? 1 : 0;
        INDArray labels = Nd4j.valueArrayOf(
                spec.labels().shape(records), value, spec.labels().type());
        if (spec.form() == LabelEncoding.ONE_HOT) {
            for (int row = 0; row < records; row++) {
                labels.putScalar(row, 0, 1);
            }
        }
        placeholders.put(spec.labels().name(), labels);
        return placeholders;
    }
}
