package dev.edl.runtime.program;

import dev.edl.runtime.Training;
import dev.edl.runtime.engine.ReplicaContext;
import dev.edl.runtime.engine.WorkerRunner;
import dev.edl.runtime.wire.control.Hello;
import dev.edl.runtime.wire.control.WorkerLink;
import dev.edl.runtime.wire.frames.RemoteShards;
import java.io.IOException;
import java.util.Map;

/** Worker in its own process. It listens on no port and connects to the master and every parameter server. */
final class WorkerProcess {
    private final ReplicaEnvironment replica;
    private final Training training;
    private final ReplicaLog log;

    WorkerProcess(ReplicaEnvironment replica, Map<String, String> environment, Training training) {
        this.replica = replica;
        this.training = training;
        this.log = ReplicaLog.of(environment);
    }

    @SuppressWarnings("try") // Some resources only need to be closed.
    void run() throws IOException, InterruptedException {
        ReplicaContext context = replica.context();
        String digest = TrainingIdentity.withData(training, replica.shards()).text();
        try (GracefulShutdown shutdown = GracefulShutdown.of(context);
                ReplicaConnections connections = new ReplicaConnections(replica, training, context);
                WorkerLink link = WorkerLink.of(
                        connections.caller(new Hello(Hello.Role.WORKER, context.index(), context.name(), digest)));
                RemoteShards shards = connections.shards()) {
            WorkerRunner.ofTraining(
                            context, training, shards, () -> link.master(context::check), System::nanoTime, log::line)
                    .run();
        }
    }
}
