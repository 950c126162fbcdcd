package dev.edl.runtime.engine;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.task.Task;

/** Worker's client of a training's master in the same JVM. */
final class LocalMasterPort extends LedgerMasterPort {
    private final TrainingMaster master;
    private final SharedTrainingState services;

    LocalMasterPort(TrainingMaster master, SharedTrainingState services, String worker) {
        super(master, worker);
        this.master = master;
        this.services = services;
    }

    private void heard() {
        services.absences().heard(worker, services.nanos());
    }

    @Override
    public void touch(Task task) {
        super.touch(task);
        heard();
    }

    @Override
    public void minibatchStarted() {
        master.requirePresent();
        heard();
        try {
            master.begins(worker);
        } catch (StaleTermException replaced) {
            throw new MasterGoneException();
        }
    }

    @Override
    public void gradientComputed() {
        master.requirePresent();
        master.rounds().computed(worker, services.nanos());
    }

    @Override
    public void roundWaitStarted() {
        master.requirePresent();
        master.rounds().waits(worker);
    }

    @Override
    public void roundWaitEnded() {
        master.requirePresent();
        master.rounds().goesOn(worker, services.nanos());
    }

    @Override
    public void leave() {
        heard();
        master.leave(worker);
    }

    @Override
    public void loss(float loss, long version) {
        master.requirePresent();
        services.loss().add(loss);
        services.history().reached(version);
    }

    @Override
    public void logLoss(float loss, long version) {
        master.requirePresent();
        services.events().emit(new TrainingEvent.Loss(worker, version, loss));
    }

    @Override
    public ModelSnapshot model(long version) {
        master.requirePresent();
        return master.decisions().model(version);
    }

    @Override
    public void trained(Task task, long lives) throws InterruptedException {
        try {
            master.trained(task, lives);
        } catch (StaleTermException replaced) {
            throw new MasterGoneException();
        }
    }

    @Override
    public void evaluated(Task task, double[][] sums) {
        master.evaluated(task, sums);
    }

    @Override
    public void predicted(Task task, float[] outputs) {
        master.requirePresent();
        throw new IllegalStateException(task + " is a task of a training, which predicts nothing");
    }
}
