package dev.edl.runtime.engine;

import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import java.util.List;

/**
 * Worker's client of the master that records the calls that wait for a response, with their thread:
 * {@code worker: next}.
 */
final class RecordingMaster implements MasterPort {
    private final MasterPort master;
    private final List<String> calls;

    RecordingMaster(MasterPort master, List<String> calls) {
        this.master = master;
        this.calls = calls;
    }

    private void note(String call) {
        calls.add((Thread.currentThread().getName().endsWith("-reader") ? "reader: " : "worker: ") + call);
    }

    @Override
    public Assignment next() {
        note("next");
        return master.next();
    }

    @Override
    public Assignment prefetch(Task held) {
        note("ahead of " + held.id());
        return master.prefetch(held);
    }

    @Override
    public boolean startPrefetched(Task ahead) {
        return master.startPrefetched(ahead);
    }

    @Override
    public void awaitChange() throws InterruptedException {
        master.awaitChange();
    }

    @Override
    public void minibatchStarted() {
        master.minibatchStarted();
    }

    @Override
    public void gradientComputed() {
        master.gradientComputed();
    }

    @Override
    public void roundWaitStarted() {
        master.roundWaitStarted();
    }

    @Override
    public void roundWaitEnded() {
        master.roundWaitEnded();
    }

    @Override
    public void leave() {
        master.leave();
    }

    @Override
    public void touch(Task task) {
        master.touch(task);
    }

    @Override
    public void loss(float loss, long version) {
        master.loss(loss, version);
    }

    @Override
    public void logLoss(float loss, long version) {
        master.logLoss(loss, version);
    }

    @Override
    public ModelSnapshot model(long version) {
        note("model");
        return master.model(version);
    }

    @Override
    public void trained(Task task, long lives) throws InterruptedException {
        note("trained " + task.id() + (lives == ShardLife.UNKNOWN_LIVES ? " in unknown lives" : ""));
        master.trained(task, lives);
    }

    @Override
    public void evaluated(Task task, double[][] sums) {
        note("evaluated " + task.id());
        master.evaluated(task, sums);
    }

    @Override
    public void predicted(Task task, float[] outputs) {
        note("predicted " + task.id());
        master.predicted(task, outputs);
    }

    @Override
    public void failed(Task task, TaskFailure failure) {
        note("failed " + task.id() + ", " + failure);
        master.failed(task, failure);
    }
}
