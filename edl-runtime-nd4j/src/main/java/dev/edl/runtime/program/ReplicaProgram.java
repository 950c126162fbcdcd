package dev.edl.runtime.program;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.engine.ReplicaContext;
import dev.edl.runtime.engine.files.ShardFactory;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.pass.Pass;
import java.io.IOException;
import java.util.Map;
import java.util.function.Function;

/** Work of the processes of one program, by role. */
interface ReplicaProgram {
    /** Reads the trained parameters of a pass. */
    static TrainedModel load(Pass<?> pass) throws IOException {
        try {
            return pass.load();
        } catch (IllegalArgumentException mismatch) {
            throw new TrainingProgram.MistakeException(mismatch);
        }
    }

    /**
     * Rejects in the submitter what a replica would reject.
     *
     * @throws IOException if the trained model to begin with cannot be read
     */
    void check() throws IOException;

    /** Runs the master. */
    void master(ReplicaEnvironment replica, Map<String, String> environment) throws IOException, InterruptedException;

    /** Runs a parameter server. */
    void server(ReplicaEnvironment replica, int index) throws IOException, InterruptedException;

    /** Runs a worker. */
    void worker(ReplicaEnvironment replica, Map<String, String> environment) throws IOException, InterruptedException;

    /** Processes of a training. */
    record OfTraining(Training training) implements ReplicaProgram {
        @Override
        public void check() throws IOException {
            ReplicaEnvironment.check(training);
            TrainingStore.checkResumed(training);
            if (training.from().isPresent()) {
                // Reads the model and compares it with the training's.
                new ShardFactory(training, 1).requireInitialValues();
            }
        }

        @Override
        public void master(ReplicaEnvironment replica, Map<String, String> environment)
                throws IOException, InterruptedException {
            new MasterProcess(replica, environment, training).run();
        }

        @Override
        public void server(ReplicaEnvironment replica, int index) throws IOException, InterruptedException {
            new ServerProcess(replica, index, training).run();
        }

        @Override
        public void worker(ReplicaEnvironment replica, Map<String, String> environment)
                throws IOException, InterruptedException {
            new WorkerProcess(replica, environment).run(training);
        }
    }

    /**
     * Processes of an evaluation or a prediction.
     *
     * @param summary converts the result of the pass
     */
    record OfPass<R>(Pass<R> pass, Function<R, TrainingSummary> summary) implements ReplicaProgram {
        @Override
        public void check() throws IOException {
            load(pass);
        }

        @Override
        public void master(ReplicaEnvironment replica, Map<String, String> environment)
                throws IOException, InterruptedException {
            new PassMasterProcess<>(replica, environment, pass, summary).run();
        }

        /** Waits to be stopped: the parameters do not change, and the master sends them to the workers. */
        @Override
        @SuppressWarnings("try") // The hook only needs to be closed.
        public void server(ReplicaEnvironment replica, int index) throws InterruptedException {
            ReplicaContext context = replica.context();
            try (GracefulShutdown shutdown = GracefulShutdown.of(context)) {
                context.awaitStop();
            }
        }

        @Override
        public void worker(ReplicaEnvironment replica, Map<String, String> environment)
                throws IOException, InterruptedException {
            new WorkerProcess(replica, environment).run(pass);
        }
    }
}
