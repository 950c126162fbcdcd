package dev.edl.runtime.zoo;

import dev.edl.runtime.onnx.OnnxFile;
import dev.edl.runtime.zoo.internal.graph.OnnxImport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.buffer.DataType;

/**
 * Network of an ONNX file, which EDL trains from the parameters of the file.
 *
 * <pre>{@code
 * Model model = OnnxNetwork.read(Path.of("digits.onnx")).classifier();
 * model.initialize(parameters, seed);       // the file's parameters, regardless of the seed
 * }</pre>
 *
 * <p>The file must have one input of floats, [records, size, ...], and its output must be float [records, outputs].
 * The parameters are the constants of floats that are kernels or biases: operands of Gemm, MatMul, Conv, or an Add after
 * them, and scale and bias of BatchNormalization. They keep the names of the file. Other constants
 * stay as they are, such as means of a standardization. Dropout has no effect. An operator or a form that EDL does not
 * read is refused with the node's name.
 *
 * <p>All processes of a training must read the same file; a process that reads another one is refused. Immutable.
 */
public final class OnnxNetwork {
    private final OnnxFile file;
    private final String output;

    private OnnxNetwork(OnnxFile file, String output) {
        this.file = file;
        this.output = output;
    }

    /**
     * Reads a file.
     *
     * @throws IOException when the file cannot be read
     * @throws IllegalArgumentException when it is no ONNX file, or has content that EDL does not read
     */
    public static OnnxNetwork read(Path file) throws IOException {
        OnnxFile read = OnnxFile.read(file);
        if (read.outputs().isEmpty()) {
            throw new IllegalArgumentException(file + " must have an output, had none");
        }
        return new OnnxNetwork(read, read.outputs().get(0));
    }

    /**
     * Returns the network of another output than the first one, for example {@code probabilities} of scikit-learn's
     * classifiers.
     *
     * @throws IllegalArgumentException when the file has no such output
     */
    public OnnxNetwork output(String name) {
        if (!file.outputs().contains(name)) {
            throw new IllegalArgumentException("output must be one of " + file.outputs() + ", was \"" + name + "\"");
        }
        return new OnnxNetwork(file, name);
    }

    /** Adds labels, loss and predictions to a network. */
    @FunctionalInterface
    private interface Head {
        void add(SameDiff graph, SDVariable output, String labels, String loss, String predictions);
    }

    /**
     * Returns a classifier with a class for each output. The loss is the cross entropy of the softmax; the predictions
     * are probabilities, also for a file without a Softmax at its end.
     *
     * @throws IllegalArgumentException when EDL has no counterpart of the network; the message names the node
     */
    public SameDiffModel classifier() {
        OnnxImport onnx = new OnnxImport(file, output, Set.of("Softmax", "LogSoftmax"));
        int classes = Math.toIntExact(onnx.network().outputs());
        return model(onnx, builder -> builder.oneHot(classes), (graph, scores, labels, loss, predictions) -> {
            graph.nn.softmax(predictions, scores, 1);
            graph.loss.softmaxCrossEntropy(loss, graph.placeHolder(labels, DataType.FLOAT, -1, classes), scores, null);
        });
    }

    /**
     * Returns a model whose single output is the probability of class 1. The loss is the cross entropy of the sigmoid;
     * the predictions are probabilities, also for a file without a Sigmoid at its end.
     *
     * @throws IllegalArgumentException when EDL has no counterpart of the network; the message names the node
     */
    public SameDiffModel probability() {
        OnnxImport onnx = new OnnxImport(file, output, Set.of("Sigmoid"));
        long outputs = onnx.network().outputs();
        if (outputs != 1) {
            throw new IllegalArgumentException(
                    "probability() needs a network with 1 output, had " + outputs + "; classifier() takes more");
        }
        return model(onnx, SameDiffModel.Builder::probability, (graph, score, labels, loss, predictions) -> {
            graph.nn.sigmoid(predictions, score);
            graph.loss.sigmoidCrossEntropy(loss, graph.placeHolder(labels, DataType.FLOAT, -1, 1), score, null);
        });
    }

    /**
     * Returns a regression with a number for each output. The loss is the mean squared error.
     *
     * @throws IllegalArgumentException when EDL has no counterpart of the network; the message names the node
     */
    public SameDiffModel regression() {
        OnnxImport onnx = new OnnxImport(file, output, Set.of());
        int outputs = Math.toIntExact(onnx.network().outputs());
        return model(onnx, builder -> builder.values(outputs), (graph, values, labels, loss, predictions) -> {
            graph.identity(predictions, values);
            SDVariable error = values.sub(graph.placeHolder(labels, DataType.FLOAT, -1, outputs));
            graph.math.square(error).mean().rename(loss);
        });
    }

    private SameDiffModel model(OnnxImport onnx, UnaryOperator<SameDiffModel.Builder> labelled, Head head) {
        String labels = onnx.unused("labels");
        String loss = onnx.unused("loss");
        String predictions = onnx.unused("predictions");
        SameDiffModel.Builder builder = SameDiffModel.builder(() -> {
                    OnnxImport.Network network = onnx.network();
                    head.add(network.graph(), network.output(), labels, loss, predictions);
                    return network.graph();
                })
                .identity("output \"" + output + "\" of an ONNX file with crc32c " + file.checksum())
                .features(onnx.input())
                .labels(labels)
                .loss(loss)
                .predictions(predictions);
        return labelled.apply(builder).build();
    }

    /** Returns the text for people: the numbers of nodes and constants. */
    @Override
    public String toString() {
        return file.toString();
    }
}
