package dev.edl.runtime.engine.pass;

import dev.edl.runtime.Batch;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.task.Task;

/** What one task of a pass comes to, as far as it is computed. For one worker's thread. */
public interface PartialTaskResult {
    /** Adds what the model says of a minibatch, {@code width} floats a record. */
    void add(float[] outputs, int width, Batch batch);

    /** Reports the whole of it. */
    void report(MasterPort master, Task task);
}
