package dev.edl.runtime.engine;

import dev.edl.runtime.engine.internal.TaskRecords;
import dev.edl.runtime.engine.pass.PartialTaskResult;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Task;
import java.util.Arrays;

/** Applies a model to the records of tasks, one minibatch at a time, for passes and for evaluations of a training. */
final class ForwardPass {
    private final Batch minibatch;
    private final float[] outputs;
    private final int width;
    private final boolean labels;

    /**
     * Allocates the buffer for one minibatch.
     *
     * @param labels whether the result needs the records' labels, which must then exist
     */
    ForwardPass(Model model, int minibatch, boolean labels) {
        this.minibatch = Batch.of(model, minibatch);
        this.width = model.outputs();
        this.outputs = new float[minibatch * width];
        this.labels = labels;
    }

    /**
     * Applies the model to all records of a task.
     *
     * @param partial receives the model's outputs
     * @param before called before each minibatch; an exception ends the pass
     */
    void run(
            Task task,
            TaskRecords records,
            ModelSnapshot model,
            Model.Session session,
            PartialTaskResult partial,
            Runnable before) {
        for (int k = 0; k < task.minibatches(); k++) {
            before.run();
            int from = k * task.minibatchSize();
            int to = Math.min(records.size(), from + task.minibatchSize());
            minibatch.clear(task.range(k).toString());
            if (labels) {
                records.copy(minibatch, from, to);
            } else {
                copyWithoutLabels(records.batch(), from, to);
            }
            model.fill(minibatch.gather());
            session.predict(model.weights(), minibatch, outputs);
            partial.add(outputs, width, minibatch);
        }
    }

    /** Copies the features and ids of records to the minibatch. Its labels are 0, because no result needs them. */
    private void copyWithoutLabels(Batch records, int first, int behind) {
        for (int row = first; row < behind; row++) {
            int to = minibatch.row();
            int features = records.featureWidth();
            System.arraycopy(records.features(), row * features, minibatch.features(), to * features, features);
            int ids = records.idWidth();
            System.arraycopy(records.ids(), row * ids, minibatch.ids(), to * ids, ids);
            Arrays.fill(minibatch.labels(), to * minibatch.labelWidth(), (to + 1) * minibatch.labelWidth(), 0);
        }
    }
}
