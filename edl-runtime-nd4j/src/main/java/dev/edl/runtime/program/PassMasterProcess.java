package dev.edl.runtime.program;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.EventHub;
import dev.edl.runtime.engine.ReplicaContext;
import dev.edl.runtime.engine.RunClock;
import dev.edl.runtime.engine.SharedPassState;
import dev.edl.runtime.engine.internal.PeriodicTask;
import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.engine.pass.PassResultCollector;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.wire.control.Leadership;
import dev.edl.runtime.wire.control.MasterEndpoint;
import dev.edl.runtime.wire.control.ShardConnectionListener;
import dev.edl.runtime.wire.control.WorkerDisconnectListener;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Master of an evaluation or a prediction in its own process: listens for workers, hands out the records, and writes
 * the result. It keeps no state for a successor, which repeats the pass from the beginning.
 *
 * @param <R> the result
 */
final class PassMasterProcess<R> {
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final ReplicaEnvironment replica;
    private final Map<String, String> environment;
    private final Pass<R> pass;
    private final Function<R, TrainingSummary> summary;
    private final ReplicaStdout stdout;

    PassMasterProcess(
            ReplicaEnvironment replica,
            Map<String, String> environment,
            Pass<R> pass,
            Function<R, TrainingSummary> summary) {
        this.replica = replica;
        this.environment = environment;
        this.pass = pass;
        this.summary = summary;
        this.stdout = ReplicaStdout.of(environment);
    }

    @SuppressWarnings("try") // Some resources only need to be closed.
    void run() throws IOException, InterruptedException {
        ReplicaContext context = replica.context();
        TrainingIdentity identity = TrainingIdentity.of(pass);
        TrainedModel trained = ReplicaProgram.load(pass);
        try (GracefulShutdown shutdown = GracefulShutdown.of(context);
                SubmitterEventWriter told = SubmitterEventWriter.of(environment, replica.run());
                PeriodicTask signs = PeriodicTask.start("edl-signs-of-life", MasterAbsenceWatch.SIGN, told::alive);
                ReplicaConnections connections =
                        new ReplicaConnections(replica, ReplicaSettings.of(pass.spec()), context);
                PassResultCollector<R> work = begin(pass);
                EventHub events = new EventHub(replica.job(), listeners(told))) {
            SharedPassState<R> services = new SharedPassState<>(
                    context.name(), pass, work, trained, events, RunClock.of(InstantSource.system()));
            try (MasterEndpoint listener =
                    connections.listen(identity::refusal, new Workers(services), new NoShards())) {
                // No shard follows a term, so each master may have the same.
                Leadership lead = Leadership.of(
                        new Term(1, context.name()),
                        replica.run(),
                        false,
                        pass.spec().taskTimeout(),
                        pass.spec().taskTimeout());
                services.lead(context, masters -> listener.serves(lead, masters));
                events.drain(DRAIN);
                TrainingSummary result = summary.apply(services.result().orElseThrow());
                stdout.println(result);
                told.result(result);
            }
        }
    }

    /** Begins a pass. A path that cannot be a file is a mistake of the program, not a fault that a retry might mend. */
    private static <R> PassResultCollector<R> begin(Pass<R> pass) throws IOException {
        try {
            return pass.begin().work();
        } catch (FileAlreadyExistsException e) {
            throw new TrainingProgram.MistakeException(e);
        }
    }

    /** Returns the listeners of the pass, the log and the submitter. */
    private List<Consumer<TrainingEvent>> listeners(SubmitterEventWriter told) {
        List<Consumer<TrainingEvent>> all = new ArrayList<>(pass.spec().listeners());
        all.add(told);
        return all;
    }

    /** A disconnected worker keeps its tasks until it is gone. */
    private record Workers(SharedPassState<?> services) implements WorkerDisconnectListener {
        @Override
        public void left(String worker) {
            // A pass has no rounds.
        }

        @Override
        public void gone(String worker) {
            services.gone(worker);
        }
    }

    /** A pass has no parameter servers, so no shard comes. */
    private record NoShards() implements ShardConnectionListener {
        @Override
        public void attached(int index, ShardPort shard) {
            throw new IllegalStateException("ps-" + index + " has a shard, but a pass has no shards");
        }

        @Override
        public void detached(int index, ShardPort shard) {
            throw new IllegalStateException("ps-" + index + " had a shard, but a pass has no shards");
        }
    }
}
