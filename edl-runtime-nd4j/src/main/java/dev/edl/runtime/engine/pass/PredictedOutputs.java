package dev.edl.runtime.engine.pass;

import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.task.Task;

/** The model's outputs for one task, added minibatch by minibatch. */
final class PredictedOutputs implements PartialTaskResult {
    private final float[] values;
    private int filled;

    /** Creates the outputs of no records, with room for {@code size} floats. */
    PredictedOutputs(int size) {
        values = new float[size];
    }

    @Override
    public void add(float[] outputs, int width, Batch batch) {
        int length = batch.size() * width;
        System.arraycopy(outputs, 0, values, filled, length);
        filled += length;
    }

    @Override
    public void report(MasterPort master, Task task) {
        master.predicted(task, values);
    }
}
