package dev.edl.runtime.engine;

import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Task;

/** Worker's client of a pass master in the same JVM. */
final class LocalPassMasterPort extends LedgerMasterPort {
    private final PassMaster master;

    LocalPassMasterPort(PassMaster master, String worker) {
        super(master, worker);
        this.master = master;
    }

    @Override
    public ModelSnapshot model(long version) {
        master.requirePresent();
        return master.model();
    }

    @Override
    public void evaluated(Task task, double[][] sums) {
        master.evaluated(task, sums);
    }

    @Override
    public void predicted(Task task, float[] outputs) {
        master.predicted(task, outputs);
    }

    @Override
    public void trained(Task task, long lives) {
        master.requirePresent();
        throw new IllegalStateException(task + " is a task of a data pass, which trains nothing");
    }

    @Override
    public void loss(float loss, long version) {
        master.requirePresent();
    }

    @Override
    public void logLoss(float loss, long version) {
        master.requirePresent();
    }

    @Override
    public void minibatchStarted() {
        master.requirePresent();
    }

    @Override
    public void gradientComputed() {
        master.requirePresent();
    }

    @Override
    public void roundWaitStarted() {
        master.requirePresent();
    }

    @Override
    public void roundWaitEnded() {
        master.requirePresent();
    }

    @Override
    public void leave() {
        // A pass has no rounds.
    }
}
