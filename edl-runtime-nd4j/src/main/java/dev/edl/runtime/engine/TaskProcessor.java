package dev.edl.runtime.engine;

import dev.edl.runtime.engine.internal.TaskRecords;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.task.Task;
import java.io.IOException;

/**
 * Work on tasks of a training or a pass, which {@link WorkerRunner} requests and reports. The worker's thread calls all
 * methods but {@link #read}.
 */
interface TaskProcessor {
    /** Allocates a buffer that has room for the records of the largest task. */
    TaskRecords allocateBuffer();

    /** Reads the records of a task into a buffer; called on the reader's thread. */
    void read(Task task, TaskRecords into) throws IOException;

    /** Opens a session of the model, for one worker. */
    Model.Session open();

    /** Computes a task over its records; returns the report to send to the master. */
    Report compute(MasterPort master, Task task, TaskRecords records, Model.Session session)
            throws InterruptedException;

    /** Sends the result of a task to the master, perhaps on the reader's thread. */
    @FunctionalInterface
    interface Report {
        void make() throws InterruptedException;
    }
}
