package dev.edl.runtime.engine.pass;

import dev.edl.runtime.Batch;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.task.Task;

/** Result of one task of a pass, as far as it is computed. For one worker's thread. */
public interface PartialTaskResult {
    /** Adds the model's outputs for a minibatch, {@code width} floats per record. */
    void add(float[] outputs, int width, Batch batch);

    /** Reports the complete result. */
    void report(MasterPort master, Task task);
}
