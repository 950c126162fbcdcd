package dev.edl.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.zoo.SameDiffModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.Conv2DConfig;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.PaddingMode;
import org.nd4j.linalg.api.ops.impl.layers.convolution.config.Pooling2DConfig;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.weightinit.impl.XavierInitScheme;

/** Compares exported graphs in ONNX Runtime with SameDiff. */
class SameDiffExportTest {
    private static final long SEED = 20261129;
    private static final int RECORDS = 1000;

    private final OnnxAgreement runtime = new OnnxAgreement(SEED);

    @TempDir
    private Path folder;

    private static SDVariable weights(SameDiff sd, String name, long... shape) {
        return sd.var(name, new XavierInitScheme('c', shape[0], shape[shape.length - 1]), DataType.FLOAT, shape);
    }

    /** Returns the normalization by its formula; SameDiff's batchNorm has no gradient in 1.0.0-M2.1. */
    private static SDVariable normalized(SameDiff sd, SDVariable x, long... shape) {
        SDVariable mean = sd.constant("mean" + x.name(), Nd4j.valueArrayOf(shape, 0.2f, DataType.FLOAT));
        SDVariable variance = sd.constant("variance" + x.name(), Nd4j.valueArrayOf(shape, 0.5f, DataType.FLOAT));
        return x.sub(mean).div(sd.math.sqrt(variance.add(1e-3))).mul(weights(sd, "gain" + x.name(), shape));
    }

    private static SameDiffModel classifier(
            int classes, long[] shape, BiFunction<SameDiff, SDVariable, SDVariable> scores) {
        Supplier<SameDiff> graph = () -> {
            SameDiff sd = SameDiff.create();
            SDVariable in = sd.placeHolder("input", DataType.FLOAT, shape);
            SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1, classes);
            SDVariable x = scores.apply(sd, in);
            sd.nn.softmax("softmax", x, 1);
            sd.loss.softmaxCrossEntropy("loss", label, x, null);
            return sd;
        };
        return builder(graph).oneHot(classes).predictions("softmax").build();
    }

    private static SameDiffModel.Builder builder(Supplier<SameDiff> graph) {
        return SameDiffModel.builder(graph).features("input").labels("label").loss("loss");
    }

    private static SameDiffModel dense() {
        return classifier(3, new long[] {-1, 12}, (sd, in) -> {
            SDVariable x = sd.nn.tanh(in.mmul(weights(sd, "w0", 12, 8)).add(weights(sd, "b0", 8)));
            x = sd.nn.relu(normalized(sd, x, 8).mul(0.5).add(0.1), 0);
            x = sd.nn.elu(x.mmul(weights(sd, "w1", 8, 6)).add(weights(sd, "b1", 6)));
            return sd.concat(1, x, sd.math.square(in)).mmul(weights(sd, "w2", 18, 3));
        });
    }

    private static SameDiffModel convolutional() {
        Conv2DConfig same =
                Conv2DConfig.builder().kH(3).kW(3).paddingMode(PaddingMode.SAME).build();
        Conv2DConfig valid = Conv2DConfig.builder().kH(3).kW(3).sH(2).sW(2).build();
        Pooling2DConfig pairs =
                Pooling2DConfig.builder().kH(2).kW(2).sH(2).sW(2).build();
        return classifier(10, new long[] {-1, 1, 12, 12}, (sd, in) -> {
            SDVariable x = sd.cnn.conv2d(in, weights(sd, "k0", 3, 3, 1, 4), weights(sd, "b0", 4), same);
            x = sd.cnn.maxPooling2d(sd.nn.relu(normalized(sd, x, 4, 1, 1), 0), pairs);
            x = sd.nn.leakyRelu(sd.cnn.conv2d(x, weights(sd, "k1", 3, 3, 4, 8), weights(sd, "b1", 8), valid), 0.1);
            x = sd.cnn.avgPooling2d(x, pairs).reshape(-1, 8);
            return x.mmul(weights(sd, "w2", 8, 10)).add(weights(sd, "b2", 10));
        });
    }

    @Test
    void dense_network_agrees() throws Exception {
        TrainedModel trained = runtime.trained(dense());
        byte[] onnx = OnnxExport.of(trained).toBytes();

        runtime.agree(trained, onnx, RECORDS);
        runtime.agree(trained, onnx, 1);
    }

    @Test
    void convolutional_network_agrees() throws Exception {
        TrainedModel trained = runtime.trained(convolutional());
        byte[] onnx = OnnxExport.of(trained).toBytes();

        runtime.agree(trained, onnx, RECORDS);
        runtime.agree(trained, onnx, 1);
    }

    @Test
    void graph_from_a_file_agrees() throws Exception {
        Path file = folder.resolve("graph.fb");
        SameDiff sd = SameDiff.create();
        SDVariable in = sd.placeHolder("input", DataType.FLOAT, -1, 4);
        SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1, 2);
        SDVariable x = sd.mmul(in.mul(3).add(0.5), weights(sd, "w", 5, 4), false, true, false);
        x = x.sub(x.mean(true, 1)).reshape(-1, 5).mmul("scores", weights(sd, "v", 5, 2));
        sd.nn.softmax("softmax", x, 1);
        sd.loss.softmaxCrossEntropy("loss", label, x, null);
        sd.save(file.toFile(), false);
        TrainedModel trained = runtime.trained(SameDiffModel.builder(file)
                .features("input")
                .labels("label")
                .oneHot(2)
                .loss("loss")
                .predictions("softmax")
                .build());

        runtime.agree(trained, OnnxExport.of(trained).toBytes(), 100);
    }

    @Test
    void tables_agree() throws Exception {
        Supplier<SameDiff> graph = () -> {
            SameDiff sd = SameDiff.create();
            SDVariable in = sd.placeHolder("input", DataType.FLOAT, -1, 3);
            SDVariable words = sd.placeHolder("words", DataType.FLOAT, -1, 2, 4);
            SDVariable users = sd.placeHolder("users", DataType.FLOAT, -1, 1, 2);
            SDVariable label = sd.placeHolder("label", DataType.FLOAT, -1, 2);
            SDVariable x = sd.concat(1, in, words.mean(1), users.reshape(-1, 2));
            x = x.mmul(weights(sd, "w", 9, 2));
            sd.nn.softmax("softmax", x, 1);
            sd.loss.softmaxCrossEntropy("loss", label, x, null);
            return sd;
        };
        TrainedModel trained = runtime.trained(builder(graph)
                .table(new EmbeddingTable("words", 4, 1, 2, Initializer.uniform(-0.1f, 0.1f)), "words")
                .table(new EmbeddingTable("users", 2, 0, 1, Initializer.uniform(-0.1f, 0.1f)), "users")
                .oneHot(2)
                .predictions("softmax")
                .build());

        runtime.agree(trained, OnnxExport.of(trained).toBytes(), 50);
    }

    private static SameDiffModel sorted() {
        return classifier(3, new long[] {-1, 3}, (sd, in) -> {
            SDVariable x = in.mul(weights(sd, "w", 3));
            return sd.math.asinh("stretched", sd.math.abs(x)).add(x);
        });
    }

    @Test
    void operator_without_a_counterpart_is_refused_by_name_and_place() throws IOException {
        TrainedModel trained = runtime.trained(sorted());
        String reason = "SameDiffModel[3 features, 3 outputs, loss \"loss\", [w[3]]] has no ONNX form: operator asinh,"
                + " which computes the variable \"stretched\", has no ONNX counterpart; an .npz file takes any model";

        assertThatThrownBy(() -> trained.export(folder.resolve("a.onnx")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(reason);
        assertThat(folder).isEmptyDirectory();
        assertThatThrownBy(() -> Training.builder()
                        .model(sorted())
                        .data(ArrayDataset.of(new float[][] {{1, 2, 3}}, new int[] {0}))
                        .export(Path.of("a.onnx"))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("export to a.onnx: " + reason);
    }

    @Test
    void operator_in_another_form_is_refused_with_that_form() {
        Pooling2DConfig dilated =
                Pooling2DConfig.builder().kH(2).kW(2).dH(2).dW(1).build();
        SameDiffModel model = classifier(
                2,
                new long[] {-1, 1, 4, 2},
                (sd, in) -> sd.cnn
                        .avgPooling2d("pooled", in.mul(weights(sd, "w", 1)), dilated)
                        .reshape(-1, 2));

        assertThat(model.onnxRefusal())
                .contains(
                        "operator avgpool2d, which computes the variable \"pooled\", has no ONNX counterpart, unless its"
                                + " dilation is 1; was [2, 2, 1, 1, 0, 0, 2, 1, 0, 0, 0]");
    }

    @Test
    void parameter_with_the_name_of_another_value_is_refused() {
        TrainedModel trained =
                runtime.trained(classifier(2, new long[] {-1, 3}, (sd, in) -> in.mmul(weights(sd, "outputs", 3, 2))));

        assertThatThrownBy(() -> OnnxExport.of(trained).toBytes())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        trained.computing() + " has no ONNX form: values of an ONNX graph must have different names,"
                                + " was \"outputs\" twice; rename the parameter, table or constant; an .npz file takes any model");
    }
}
