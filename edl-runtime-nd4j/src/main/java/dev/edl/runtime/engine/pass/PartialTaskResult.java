package dev.edl.runtime.engine.pass;

import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.task.Task;

/** Result of one task of a pass, to which a worker adds minibatch by minibatch. Used by that worker's thread only. */
public interface PartialTaskResult {
    /** Adds the model's outputs for a minibatch, {@code width} floats per record. */
    void add(float[] outputs, int width, Batch batch);

    /** Reports the task's complete result to the master. */
    void report(MasterPort master, Task task);
}
