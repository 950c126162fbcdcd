package dev.edl.runtime.program;

import dev.edl.runtime.Training;
import dev.edl.runtime.engine.ReplicaContext;
import dev.edl.runtime.engine.WorkerRunner;
import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.wire.control.Hello;
import dev.edl.runtime.wire.control.WorkerLink;
import dev.edl.runtime.wire.frames.RemoteShards;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Worker in its own process. It listens on no port and connects to the master and every parameter server. */
final class WorkerProcess {
    private final ReplicaEnvironment replica;
    private final ReplicaStdout stdout;

    WorkerProcess(ReplicaEnvironment replica, Map<String, String> environment) {
        this.replica = replica;
        this.stdout = ReplicaStdout.of(environment);
    }

    /** Creates the worker once it can reach the master. */
    @FunctionalInterface
    private interface Work {
        void run(ReplicaContext context, ReplicaConnections connections, Supplier<Optional<MasterPort>> masters)
                throws IOException, InterruptedException;
    }

    /** Works in a training. */
    void run(Training training) throws IOException, InterruptedException {
        String digest = TrainingIdentity.withData(training, replica.shards()).text();
        run(ReplicaSettings.of(training, replica), digest, (context, connections, masters) -> {
            try (RemoteShards shards = connections.shards()) {
                WorkerRunner.ofTraining(context, training, shards, masters, System::nanoTime, stdout::println)
                        .run();
            }
        });
    }

    /** Works in an evaluation or a prediction. */
    void run(Pass<?> pass) throws IOException, InterruptedException {
        run(
                ReplicaSettings.of(pass.spec()),
                TrainingIdentity.of(pass).text(),
                (context, connections, masters) ->
                        WorkerRunner.ofPass(context, pass, masters).run());
    }

    @SuppressWarnings("try") // Some resources only need to be closed.
    private void run(ReplicaSettings settings, String digest, Work work) throws IOException, InterruptedException {
        ReplicaContext context = replica.context();
        try (GracefulShutdown shutdown = GracefulShutdown.of(context);
                ReplicaConnections connections = new ReplicaConnections(replica, settings, context);
                WorkerLink link = WorkerLink.of(
                        connections.caller(new Hello(Hello.Role.WORKER, context.index(), context.name(), digest)))) {
            work.run(context, connections, () -> link.master(context::check));
        }
    }
}
