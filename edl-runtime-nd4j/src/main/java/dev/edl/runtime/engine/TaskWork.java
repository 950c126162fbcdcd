package dev.edl.runtime.engine;

import dev.edl.runtime.Model;
import dev.edl.runtime.engine.internal.TaskRecords;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.task.Task;
import java.io.IOException;

/** What a worker does with the tasks that {@link WorkerMain} asks for and reports. For the worker's thread, but for {@link #read}. */
interface TaskWork {
    /** Returns room for the records of the largest task. */
    TaskRecords room();

    /** Reads the records of a task; on the reader's thread. */
    void read(Task task, TaskRecords into) throws IOException;

    /** Opens the model. */
    Model.Session open();

    /** Computes a task of these records; returns how it is reported. */
    Report compute(MasterPort master, Task task, TaskRecords records, Model.Session session)
            throws InterruptedException;

    /** Reports a task, perhaps on the reader's thread. */
    @FunctionalInterface
    interface Report {
        void make() throws InterruptedException;
    }
}
