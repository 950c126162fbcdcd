package dev.edl.runtime.program;

import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.engine.EventHub;
import dev.edl.runtime.engine.MasterRunner;
import dev.edl.runtime.engine.ReplicaContext;
import dev.edl.runtime.engine.RunClock;
import dev.edl.runtime.engine.SharedTrainingState;
import dev.edl.runtime.engine.files.RunResultFile;
import dev.edl.runtime.engine.files.TensorBoardLog;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.internal.PeriodicTask;
import dev.edl.runtime.engine.ports.AcquireRetry;
import dev.edl.runtime.engine.ports.LeadingMasterListener;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.ps.group.ShardGroup;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.StaleTermException;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.wire.control.Leadership;
import dev.edl.runtime.wire.control.MasterEndpoint;
import dev.edl.runtime.wire.control.ShardConnectionListener;
import dev.edl.runtime.wire.control.WorkerDisconnectListener;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Master in its own process: listens for servers and workers, and leads the training to its end. */
final class MasterProcess {
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final ReplicaEnvironment replica;
    private final Training training;
    private final Map<String, String> environment;
    private final ReplicaStdout stdout;

    MasterProcess(ReplicaEnvironment replica, Map<String, String> environment, Training training) {
        this.replica = replica;
        this.training = training;
        this.environment = environment;
        this.stdout = ReplicaStdout.of(environment);
        ReplicaEnvironment.check(training);
    }

    @SuppressWarnings("try") // Some resources only need to be closed.
    void run() throws IOException, InterruptedException {
        ReplicaContext context = replica.context();
        int count = replica.shards();
        TrainingIdentity identity = TrainingIdentity.withData(training, count);
        Optional<RunResultFile> file = training.checkpointDirectory()
                .map(directory -> new RunResultFile(directory, replica.run(), identity.text()));
        AcquireRetry retry = ReplicaConnections.retry(training.absenceTimeout(), context);
        // The store waits for the lock of a killed master before this process listens, so no server gets an assignment.
        try (GracefulShutdown shutdown = GracefulShutdown.of(context);
                SubmitterEventWriter told = SubmitterEventWriter.of(environment, replica.run());
                PeriodicTask signs = PeriodicTask.start("edl-signs-of-life", MasterAbsenceWatch.SIGN, told::alive);
                TrainingStore store = TrainingStore.open(training, count, replica.run(), retry);
                ShardGroup shards = new ShardGroup(context.name(), count, SharedTrainingState.SHARD_LOOK);
                EventHub events = new EventHub(replica.job(), listeners(told))) {
            TrainingIdentity refusing = identity.from(store.template().checksum());
            Optional<TrainingSummary> reported = reported(file);
            if (reported.isPresent()) {
                stdout.println(reported.get());
                told.result(reported.get());
                return;
            }
            TensorBoardLog tensorboard = training.tensorboard().isPresent()
                    ? new TensorBoardLog(training.tensorboard().get(), InstantSource.system())
                    : null;
            try (TensorBoardLog closed = tensorboard) {
                SharedTrainingState services = new SharedTrainingState(
                        context.name(),
                        training,
                        shards,
                        store,
                        events,
                        tensorboard,
                        null,
                        RunClock.of(InstantSource.system()));
                try (ReplicaConnections connections =
                                new ReplicaConnections(replica, ReplicaSettings.of(training, replica), context);
                        MasterEndpoint listener =
                                connections.listen(refusing::refusal, new Workers(services), new Shards(shards))) {
                    services.runBy(replica.run(), connections.secret());
                    connections.minibatchesPerEpoch(store.ledgerSpec().pushIds().minibatchesPerEpoch());
                    Watch watch = new Watch(services, listener, told, file);
                    services.watch(watch);
                    lead(context, services, watch);
                }
            }
        }
    }

    /** Returns the result that an earlier master of this run has written; empty if the run has not finished. */
    private static Optional<TrainingSummary> reported(Optional<RunResultFile> file) throws IOException {
        return file.isPresent() ? file.get().read().flatMap(SummaryJson::read) : Optional.empty();
    }

    /**
     * Leads the training as master. If the servers follow a later term and this master has served no worker yet, leads
     * again with a higher term.
     */
    private void lead(ReplicaContext context, SharedTrainingState services, Watch watch)
            throws IOException, InterruptedException {
        while (true) {
            try {
                new MasterRunner(context, services).run();
                return;
            } catch (TryAgainException refused) {
                if (!(refused.getCause() instanceof StaleTermException stale) || watch.served) {
                    throw refused;
                }
                services.follow(stale.followed());
            }
        }
    }

    /** Returns the listeners of the training, the log and the submitter. */
    private List<Consumer<TrainingEvent>> listeners(SubmitterEventWriter told) {
        List<Consumer<TrainingEvent>> all = new ArrayList<>(training.listeners());
        all.add(this::log);
        all.add(told);
        return all;
    }

    /** Writes an event to the log. Each worker logs its own losses. */
    private void log(TrainingEvent event) {
        if (!(event instanceof TrainingEvent.Progressed || event instanceof TrainingEvent.Loss)) {
            stdout.println(event);
        }
    }

    /** Lets servers and workers connect while the master of this process leads. */
    private final class Watch implements LeadingMasterListener {
        private final SharedTrainingState services;
        private final MasterEndpoint listener;
        private final SubmitterEventWriter submitter;
        /** Empty without a checkpoint directory. */
        private final Optional<RunResultFile> file;

        private volatile boolean served;

        private Watch(
                SharedTrainingState services,
                MasterEndpoint listener,
                SubmitterEventWriter submitter,
                Optional<RunResultFile> file) {
            this.services = services;
            this.listener = listener;
            this.submitter = submitter;
            this.file = file;
        }

        private Leadership leadership(Term term) {
            return Leadership.of(
                    term,
                    replica.run(),
                    training.consistency().isSynchronous(),
                    training.roundTimeout(),
                    training.taskTimeout());
        }

        @Override
        public void registers(Term term, RegistrationPort registration) {
            listener.registers(leadership(term), registration);
        }

        @Override
        public void serves(Term term, Function<String, MasterPort> masters) {
            served = true;
            listener.serves(leadership(term), masters);
        }

        @Override
        public TrainingEvent.ReplicaAbsent advised(TrainingEvent.ReplicaAbsent overdue) {
            boolean pods = SubmitterEventWriter.LOG.equals(environment.get(SubmitterEventWriter.VARIABLE));
            return pods ? MasterLog.advised(overdue, replica.job()) : overdue;
        }

        @Override
        public void finished(TrainingResult trained) throws IOException, InterruptedException {
            services.events().drain(DRAIN);
            TrainingSummary summary = TrainingSummary.of(trained);
            if (file.isPresent()) {
                file.get().write(SummaryJson.write(summary));
            }
            stdout.println(summary);
            submitter.result(summary);
        }

        @Override
        public void left(Term term) {
            if (services.isOver()) {
                listener.finish();
            }
            listener.retire();
        }
    }

    private record Workers(SharedTrainingState services) implements WorkerDisconnectListener {
        @Override
        public void left(String worker) {
            services.leave(worker);
        }

        @Override
        public void lost(String worker) {
            services.lost(worker);
        }

        @Override
        public void gone(String worker) {
            services.gone(worker);
        }
    }

    private record Shards(ShardGroup shards) implements ShardConnectionListener {
        @Override
        public void attached(int index, ShardPort shard) {
            shards.attach(index, shard);
        }

        @Override
        public void detached(int index, ShardPort shard) {
            shards.detach(index, shard);
        }
    }
}
