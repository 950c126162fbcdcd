package dev.edl.runtime.engine;

import dev.edl.runtime.Model;
import dev.edl.runtime.engine.internal.TaskRecords;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.task.Task;
import java.io.IOException;

/**
 * Work of one kind of task, which {@link WorkerRunner} requests and reports. For the worker's thread, except
 * {@link #read}.
 */
interface TaskWork {
    /** Returns buffers for the records of the largest task. */
    TaskRecords room();

    /** Reads the records of a task; on the reader's thread. */
    void read(Task task, TaskRecords into) throws IOException;

    /** Opens the model. */
    Model.Session open();

    /** Computes a task over these records; returns its report. */
    Report compute(MasterPort master, Task task, TaskRecords records, Model.Session session)
            throws InterruptedException;

    /** Report of a task, perhaps sent on the reader's thread. */
    @FunctionalInterface
    interface Report {
        void make() throws InterruptedException;
    }
}
