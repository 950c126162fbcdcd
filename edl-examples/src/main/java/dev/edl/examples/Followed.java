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

/** What an example asks of a run, wherever its replicas are. */
public interface Followed {
    /** How the job stands. */
    JobStatus status();

    /** Where the training stands; empty before its master has told. */
    Optional<Progress> progress();

    /** Subscribes a listener to what the training tells. */
    Subscription onTraining(Consumer<TrainingEvent> listener);

    /** Subscribes a listener to what the job tells. */
    Subscription onEvent(Consumer<JobEvent> listener);

    /** What the training has come to; empty until the job has succeeded. */
    Optional<TrainingSummary> result();

    /** Waits for the end. */
    JobStatus await(Duration limit) throws InterruptedException;

    /** Asks for another number of workers. */
    void scale(int workers);

    /** Takes a worker away, as the run's surroundings would. */
    void lose(String worker);

    /** Ends the run before its time, with a checkpoint where one can be written then. */
    void interrupt(Duration limit) throws InterruptedException;

    /** A training in this JVM. */
    static Followed of(TrainingRun run) {
        return new Followed() {
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

    /** A training as processes of this machine. */
    static Followed of(ProcessRun run) {
        return new Followed() {
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

            /** The executor ends the processes together with this JVM; what was written by then is the checkpoint. */
            @Override
            public void interrupt(Duration limit) {
                run.close();
            }
        };
    }
}
