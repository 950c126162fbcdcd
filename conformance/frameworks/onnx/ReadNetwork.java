import dev.edl.runtime.data.npy.NpzArray;
import dev.edl.runtime.data.npy.NpzReader;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.zoo.OnnxNetwork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Reads NAME.onnx, and compares outputs, loss and gradients for the records of NAME.npz with those of the file. */
final class ReadNetwork {
    private static final double CLOSE = 1e-5;

    private ReadNetwork() {}

    public static void main(String[] args) throws IOException {
        Map<String, NpzArray> expected = NpzReader.read(Path.of(args[0] + ".npz"));
        Model model = OnnxNetwork.read(Path.of(args[0] + ".onnx")).classifier();
        float[] features = expected.get("features").values();
        float[] labels = expected.get("labels").values();
        float[] parameters = new float[model.layout().size()];
        model.initialize(parameters, Long.parseLong(args[1]));
        Batch batch = Batch.of(model, labels.length);
        for (float label : labels) {
            int row = batch.row();
            System.arraycopy(features, row * model.features(), batch.features(), row * model.features(), model.features());
            batch.labels()[row] = label;
        }
        float[] outputs = new float[labels.length * model.outputs()];
        float[] gradient = new float[parameters.length];
        float loss;
        try (Model.Session session = model.open(labels.length)) {
            session.predict(parameters, batch, outputs);
            loss = session.gradient(parameters, batch, gradient);
        }
        compare("outputs", expected.get("outputs").values(), outputs, 0);
        compare("loss", expected.get("loss").values(), new float[] {loss}, 0);
        int compared = 0;
        for (Parameter parameter : model.layout().parameters()) {
            NpzArray array = expected.get("gradient/" + parameter.name());
            if (array != null) {
                compare(parameter.name(), array.values(), gradient, parameter.offset());
                compared++;
            }
        }
        long gradients = expected.keySet().stream().filter(name -> name.startsWith("gradient/")).count();
        if (compared != gradients) {
            throw new IOException("gradients of " + compared + " parameters, expected " + gradients + ": " + model);
        }
        System.out.println(labels.length + " records, " + gradients + " gradients by name");
    }

    private static void compare(String name, float[] expected, float[] found, int from) throws IOException {
        for (int i = 0; i < expected.length; i++) {
            if (!(Math.abs(expected[i] - found[from + i]) <= CLOSE)) {
                throw new IOException(name + "[" + i + "]: expected " + expected[i] + ", found " + found[from + i]);
            }
        }
    }
}
