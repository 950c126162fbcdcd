package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A master that records each call and makes some of them wait. */
final class NotedMaster implements MasterPort {
    static final ModelSnapshot MODEL = ModelSnapshot.of(1, new float[] {1, 2}, List.of());

    final LinkedBlockingQueue<String> calls = new LinkedBlockingQueue<>();
    /** The call that waits until the latch opens; empty for none. */
    volatile String waiting = "";

    final CountDownLatch open = new CountDownLatch(1);

    static Task task(int id, int minibatches) {
        return new Task(id, TaskType.TRAINING, 0, -1, "part-0", 0, minibatches, 1, 0, 100, 0);
    }

    /** Returns the next call that was made. */
    String nextCall() throws InterruptedException {
        String call = calls.poll(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS);
        return call == null ? "none" : call;
    }

    private void note(String call) {
        calls.add(call);
        if (call.split(" ")[0].equals(waiting)) {
            try {
                open.await(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException closing) {
                throw new MasterGoneException();
            }
        }
    }

    @Override
    public Assignment next() {
        note("next");
        return new Assignment.Lease(task(1, 4));
    }

    @Override
    public Assignment prefetch(Task held) {
        note("ahead " + held.id());
        return new Assignment.Lease(task(held.id() + 1, 4));
    }

    @Override
    public boolean startPrefetched(Task ahead) {
        note("starts " + ahead.id());
        return true;
    }

    @Override
    public void awaitChange() {
        note("awaitChange");
    }

    @Override
    public void minibatchStarted() {
        note("begins");
    }

    @Override
    public void gradientComputed() {
        note("computed");
    }

    @Override
    public void roundWaitStarted() {
        note("waits");
    }

    @Override
    public void roundWaitEnded() {
        note("continues");
    }

    @Override
    public void leave() {
        note("leave");
    }

    @Override
    public void touch(Task task) {
        note("touch " + task.id());
    }

    @Override
    public void loss(float loss, long version) {
        note("loss " + loss + " " + version);
    }

    @Override
    public void logLoss(float loss, long version) {
        note("logLoss " + loss + " " + version);
    }

    @Override
    public ModelSnapshot model(long version) {
        note("model " + version);
        return MODEL;
    }

    @Override
    public void trained(Task task, long lives) {
        note("trained " + task.id() + " " + lives);
    }

    @Override
    public void evaluated(Task task, double[][] sums) {
        note("evaluated " + task.id());
    }

    @Override
    public void predicted(Task task, float[] outputs) {
        note("predicted " + task.id() + " " + outputs.length + " " + outputs[outputs.length - 1]);
    }

    @Override
    public void failed(Task task, TaskFailure failure) {
        note("failed " + task.id() + " " + failure);
    }
}
