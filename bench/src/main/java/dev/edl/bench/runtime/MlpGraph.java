package dev.edl.bench.runtime;

import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.weightinit.impl.XavierInitScheme;

/** SameDiff graph with the operations and the mean cross entropy of {@code Mlp.of(784, 128, 10)}. */
final class MlpGraph {
    static final String INPUT = "input";
    static final String LABEL = "label";
    static final String LOSS = "loss";
    static final String PROBABILITIES = "probabilities";
    static final int CLASSES = 10;

    private static final int FEATURES = 784;
    private static final int HIDDEN = 128;

    private MlpGraph() {}

    /** Returns a new graph; labels are rows of one-hot floats. */
    static SameDiff create() {
        SameDiff sd = SameDiff.create();
        SDVariable input = sd.placeHolder(INPUT, DataType.FLOAT, -1, FEATURES);
        SDVariable label = sd.placeHolder(LABEL, DataType.FLOAT, -1, CLASSES);
        SDVariable hidden = sd.nn.relu(dense(sd, "dense", input, FEATURES, HIDDEN), 0);
        SDVariable scores = dense(sd, "dense_1", hidden, HIDDEN, CLASSES);
        sd.nn.softmax(PROBABILITIES, scores, 1);
        sd.loss.softmaxCrossEntropy(LOSS, label, scores, null);
        sd.setLossVariables(LOSS);
        return sd;
    }

    private static SDVariable dense(SameDiff sd, String name, SDVariable x, int inputs, int outputs) {
        SDVariable kernel =
                sd.var(name + "/kernel", new XavierInitScheme('c', inputs, outputs), DataType.FLOAT, inputs, outputs);
        SDVariable bias = sd.zero(name + "/bias", DataType.FLOAT, outputs);
        return x.mmul(kernel).add(bias);
    }
}
