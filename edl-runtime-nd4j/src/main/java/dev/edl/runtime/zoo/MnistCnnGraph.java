package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.zoo.internal.layers.BatchNormalization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.Conv2DConfig;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.PaddingMode;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.Pooling2DConfig;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Network of {@link MnistCnn} as a graph. Its variables have the names of the parameters, with {@code _} for {@code /}.
 *
 * <p>SameDiff's own {@code batchNorm} does not compute the statistics of a batch, and its {@code dropout} has no
 * derivative. The graph therefore spells out the normalization and takes the dropout mask as an input.
 */
final class MnistCnnGraph {
    static final String INPUT = "input";
    static final String LABELS = "labels";
    static final String MASK = "mask";
    static final String MOVING_MEAN = "moving_mean";
    static final String MOVING_VARIANCE = "moving_variance";
    static final String BATCH_MEAN = "batch_mean";
    static final String BATCH_VARIANCE = "batch_variance";
    static final String LOSS = "loss";
    static final String SOFTMAX = "softmax";

    private final SameDiff graph = SameDiff.create();
    private final Map<String, SDVariable> variables = new HashMap<>();

    private MnistCnnGraph(List<Parameter> trained) {
        for (Parameter p : trained) {
            long[] shape = p.shape().stream().mapToLong(d -> d).toArray();
            variables.put(p.name(), graph.var(variable(p), Nd4j.create(DataType.FLOAT, shape, 'c')));
        }
    }

    /** Returns a new graph whose variables, one for each parameter, are all 0. */
    static SameDiff of(List<Parameter> trained) {
        MnistCnnGraph made = new MnistCnnGraph(trained);
        made.build();
        return made.graph;
    }

    /** Returns the name of the graph's variable for a parameter. */
    static String variable(Parameter parameter) {
        return parameter.name().replace('/', '_');
    }

    private void build() {
        SDVariable input = graph.placeHolder(INPUT, DataType.FLOAT, -1, MnistCnn.SIDE, MnistCnn.SIDE, 1);
        SDVariable x = convolution(convolution(input, "conv2d"), "conv2d_1");
        SDVariable mean = x.mean(BATCH_MEAN, false, 0, 1, 2);
        SDVariable variance = graph.math.square(x.sub(mean)).mean(BATCH_VARIANCE, false, 0, 1, 2);
        SDVariable mask = graph.placeHolder(MASK, DataType.FLOAT, -1, MnistCnn.FEATURES);
        SDVariable scores = dense(pooled(x, mean, variance).mul(mask));
        SDVariable labels = graph.placeHolder(LABELS, DataType.FLOAT, -1, MnistCnn.CLASSES);
        graph.loss.softmaxCrossEntropy(LOSS, labels, scores, null);

        SDVariable movingMean = graph.placeHolder(MOVING_MEAN, DataType.FLOAT, MnistCnn.FILTERS);
        SDVariable movingVariance = graph.placeHolder(MOVING_VARIANCE, DataType.FLOAT, MnistCnn.FILTERS);
        graph.nn.softmax(SOFTMAX, dense(pooled(x, movingMean, movingVariance)), 1);
    }

    private SDVariable convolution(SDVariable x, String layer) {
        Conv2DConfig valid = Conv2DConfig.builder()
                .kH(3)
                .kW(3)
                .paddingMode(PaddingMode.VALID)
                .dataFormat(Conv2DConfig.NHWC)
                .build();
        return graph.nn.relu(graph.cnn.conv2d(x, parameter(layer, "kernel"), parameter(layer, "bias"), valid), 0);
    }

    private SDVariable pooled(SDVariable x, SDVariable mean, SDVariable variance) {
        SDVariable normal = x.sub(mean).div(graph.math.sqrt(variance.add(BatchNormalization.EPSILON)));
        SDVariable y =
                normal.mul(parameter("batch_normalization", "gamma")).add(parameter("batch_normalization", "beta"));
        Pooling2DConfig pairs = Pooling2DConfig.builder()
                .kH(2)
                .kW(2)
                .sH(2)
                .sW(2)
                .paddingMode(PaddingMode.VALID)
                .isNHWC(true)
                .build();
        return graph.cnn.maxPooling2d(y, pairs).reshape(-1, MnistCnn.FEATURES);
    }

    private SDVariable dense(SDVariable x) {
        return x.mmul(parameter("dense", "kernel")).add(parameter("dense", "bias"));
    }

    private SDVariable parameter(String layer, String name) {
        SDVariable found = variables.get(layer + "/" + name);
        if (found == null) {
            throw new IllegalStateException("no parameter " + layer + "/" + name + " in " + variables.keySet());
        }
        return found;
    }
}
