package dev.edl.runtime;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Computes a trained model's outputs for records in memory. Opens a session of the model for each call. */
final class InMemoryPredictor {
    private static final int MINIBATCH = 256;

    private final Model model;
    private final ParameterValues trained;

    InMemoryPredictor(Model model, ParameterValues trained) {
        this.model = model;
        this.trained = trained;
    }

    /**
     * Returns the model's outputs for each record.
     *
     * @param records the features of each record
     * @param ids the ids of each record; as many entries as {@code records}
     */
    List<float[]> to(List<float[]> records, List<long[]> ids) {
        for (int i = 0; i < records.size(); i++) {
            check(i, "features", model.features(), records.get(i).length);
            check(i, "ids", model.ids(), ids.get(i).length);
        }
        List<float[]> answers = new ArrayList<>();
        if (records.isEmpty()) {
            return answers;
        }
        int capacity = Math.min(MINIBATCH, records.size());
        Batch batch = Batch.of(model, capacity);
        float[] outputs = new float[Math.multiplyExact(capacity, model.outputs())];
        try (Model.Session session = model.open(capacity)) {
            for (int from = 0; from < records.size(); from += capacity) {
                int to = Math.min(from + capacity, records.size());
                batch.clear("records[" + from + ".." + to + ")");
                for (int i = from; i < to; i++) {
                    int row = batch.row();
                    System.arraycopy(records.get(i), 0, batch.features(), row * model.features(), model.features());
                    System.arraycopy(ids.get(i), 0, batch.ids(), row * model.ids(), model.ids());
                }
                trained.fill(batch.gather());
                session.predict(trained.weights(), batch, outputs);
                for (int i = 0; i < to - from; i++) {
                    answers.add(Arrays.copyOfRange(outputs, i * model.outputs(), (i + 1) * model.outputs()));
                }
            }
        }
        return answers;
    }

    private static void check(int record, String what, int takes, int was) {
        if (takes != was) {
            throw new IllegalArgumentException(
                    "the model takes " + takes + " " + what + " per record, but record " + record + " has " + was);
        }
    }
}
