package dev.edl.runtime.zoo;

import dev.edl.runtime.zoo.internal.graph.LabelEncoding;
import java.util.function.Supplier;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.weightinit.impl.XavierInitScheme;

/** The network of an {@link Mlp} as a graph; its variables are w0, b0, w1, b1, ... */
final class DenseGraph {
    private DenseGraph() {}

    static SameDiffModel oneHot(int... widths) {
        return named(SameDiffModel.builder(graph(LabelEncoding.ONE_HOT, widths)).oneHot(widths[widths.length - 1]));
    }

    static SameDiffModel indices(int... widths) {
        return named(SameDiffModel.builder(graph(LabelEncoding.INDEX, widths)).indices(widths[widths.length - 1]));
    }

    private static SameDiffModel named(SameDiffModel.Builder builder) {
        return builder.features("input")
                .labels("label")
                .loss("loss")
                .predictions("softmax")
                .build();
    }

    static Supplier<SameDiff> graph(LabelEncoding form, int... widths) {
        return () -> {
            SameDiff sd = SameDiff.create();
            SDVariable x = sd.placeHolder("input", DataType.FLOAT, -1, widths[0]);
            for (int l = 0; l + 1 < widths.length; l++) {
                int in = widths[l];
                int out = widths[l + 1];
                SDVariable w = sd.var("w" + l, new XavierInitScheme('c', in, out), DataType.FLOAT, in, out);
                SDVariable b = sd.var("b" + l, new XavierInitScheme('c', 1, out), DataType.FLOAT, out);
                x = x.mmul(w).add("scores" + l, b);
                x = l + 2 < widths.length ? sd.nn.relu(x, 0) : x;
            }
            sd.nn.softmax("softmax", x, 1);
            if (form == LabelEncoding.ONE_HOT) {
                SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1, widths[widths.length - 1]);
                sd.loss.softmaxCrossEntropy("loss", label, x, null);
            } else {
                SDVariable label = sd.placeHolder("label", DataType.INT32, -1);
                SDVariable hot = sd.oneHot("hot", label, widths[widths.length - 1], -1, 1, 0, DataType.FLOAT);
                sd.loss.softmaxCrossEntropy("loss", hot, x, null);
            }
            return sd;
        };
    }
}
