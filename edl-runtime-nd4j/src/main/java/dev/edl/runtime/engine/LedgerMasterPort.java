package dev.edl.runtime.engine;

import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;

/** Base of a worker's client of a master in the same JVM, for trainings and passes. */
abstract class LedgerMasterPort implements MasterPort {
    final String worker;
    private final LedgerMaster master;

    LedgerMasterPort(LedgerMaster master, String worker) {
        this.master = master;
        this.worker = worker;
    }

    @Override
    public final Assignment next() {
        return master.next(worker);
    }

    @Override
    public final Assignment prefetch(Task held) {
        return master.prefetch(worker, held);
    }

    @Override
    public final boolean startPrefetched(Task ahead) {
        return master.startPrefetched(ahead);
    }

    @Override
    public final void awaitChange() throws InterruptedException {
        master.awaitChange();
    }

    @Override
    public void touch(Task task) {
        master.touch(task);
    }

    @Override
    public final void failed(Task task, TaskFailure failure) {
        master.report(task, failure);
    }

    /** Returns text for people, for example {@code the master of worker-3}. */
    @Override
    public final String toString() {
        return "the master of " + worker;
    }
}
