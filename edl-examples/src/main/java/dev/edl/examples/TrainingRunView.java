package dev.edl.examples;

import dev.edl.exec.JobStatus;
import dev.edl.exec.Subscription;
import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.program.ProcessRun;
import dev.edl.runtime.program.TrainingSummary;
import dev.edl.status.JobEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Uniform view of a training run for the examples, whose replicas are threads of this JVM or local processes. */
public interface TrainingRunView {
    /** Returns the status of the job. */
    JobStatus status();

    /** Returns the progress of the training; empty before its master's first report. */
    Optional<Progress> progress();

    /** Subscribes a listener to the events of the training. */
    Subscription onTraining(Consumer<TrainingEvent> listener);

    /** Subscribes a listener to the events of the job. */
    Subscription onEvent(Consumer<JobEvent> listener);

    /** Returns the result of the training; empty until the job has succeeded. */
    Optional<TrainingSummary> result();

    /** Waits for the end of the job and returns its final status. */
    JobStatus await(Duration limit) throws InterruptedException;

    /** Requests another number of workers. */
    void scale(int workers);

    /** Ends a worker from outside, as an eviction or a kill does. */
    void lose(String worker);

    /**
     * Cancels the run, which writes a checkpoint if it still can.
     *
     * @param limit longest wait for the end of the run
     */
    void interrupt(Duration limit) throws InterruptedException;

    /** Returns the view of a run whose replicas are threads of this JVM. */
    static TrainingRunView of(TrainingRun run) {
        return new TrainingRunView() {
            @Override
            public JobStatus status() {
                return run.status();
            }

            @Override
            public Optional<Progress> progress() {
                return Optional.of(run.progress());
            }

            @Override
            public Subscription onTraining(Consumer<TrainingEvent> listener) {
                return run.onTraining(listener);
            }

            @Override
            public Subscription onEvent(Consumer<JobEvent> listener) {
                return run.onEvent(listener);
            }

            @Override
            public Optional<TrainingSummary> result() {
                return run.result().map(TrainingSummary::of);
            }

            @Override
            public JobStatus await(Duration limit) throws InterruptedException {
                return run.await(limit);
            }

            @Override
            public void scale(int workers) {
                run.scale("worker", workers);
            }

            @Override
            public void lose(String worker) {
                run.delete(worker);
            }

            @Override
            public void interrupt(Duration limit) throws InterruptedException {
                run.cancel();
                run.await(limit);
            }
        };
    }

    /** Returns the view of a run whose replicas are local processes. */
    static TrainingRunView of(ProcessRun run) {
        return new TrainingRunView() {
            @Override
            public JobStatus status() {
                return run.status();
            }

            @Override
            public Optional<Progress> progress() {
                return run.progress();
            }

            @Override
            public Subscription onTraining(Consumer<TrainingEvent> listener) {
                return run.onTraining(listener);
            }

            @Override
            public Subscription onEvent(Consumer<JobEvent> listener) {
                return run.onEvent(listener);
            }

            @Override
            public Optional<TrainingSummary> result() {
                return run.result();
            }

            @Override
            public JobStatus await(Duration limit) throws InterruptedException {
                return run.await(limit);
            }

            @Override
            public void scale(int workers) {
                run.scale("worker", workers);
            }

            @Override
            public void lose(String worker) {
                run.kill(worker);
            }

            /**
             * Closes the run without a new checkpoint; the newest written checkpoint remains. The executor ends the
             * processes with this JVM.
             */
            @Override
            public void interrupt(Duration limit) {
                run.close();
            }
        };
    }
}
