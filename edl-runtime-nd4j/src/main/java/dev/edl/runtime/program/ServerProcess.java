package dev.edl.runtime.program;

import dev.edl.runtime.Training;
import dev.edl.runtime.engine.ReplicaContext;
import dev.edl.runtime.engine.files.ShardFactory;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.wire.control.Hello;
import dev.edl.runtime.wire.control.ServerLink;
import dev.edl.runtime.wire.frames.ShardServer;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Parameter server in its own process: connects to the master, which assigns its shard, and listens for workers. */
final class ServerProcess {
    private final ReplicaEnvironment environment;
    private final Training training;
    private final int index;

    ServerProcess(ReplicaEnvironment environment, int index, Training training) {
        this.environment = environment;
        this.training = training;
        this.index = index;
    }

    @SuppressWarnings("try") // Some resources only need to be closed.
    void run() throws IOException, InterruptedException {
        ReplicaContext context = environment.context();
        ShardFactory factory = new ShardFactory(training, environment.shards());
        String digest = TrainingIdentity.of(training, environment.shards())
                .from(factory.checksum())
                .text();
        AtomicReference<HostedShard> shard = new AtomicReference<>();
        try (GracefulShutdown shutdown = GracefulShutdown.of(context);
                ReplicaConnections connections =
                        new ReplicaConnections(environment, ReplicaSettings.of(training, environment), context);
                ShardServer server = connections.server(index);
                ServerLink link = ServerLink.of(
                        connections.caller(new Hello(Hello.Role.SERVER, index, context.name(), digest)),
                        () -> Optional.ofNullable(shard.get()))) {
            Optional<HostedShard> begun = begin(context, factory, link, connections);
            if (begun.isEmpty()) {
                return;
            }
            HostedShard life = begun.get();
            shard.set(life);
            life.onMembers(() -> server.place(life));
            try {
                link.keep(life.life(), context::check);
            } finally {
                server.withdraw();
                life.retire();
            }
        }
    }

    /** Begins a life of the shard; empty if the training is complete and its result is written. */
    private Optional<HostedShard> begin(
            ReplicaContext context, ShardFactory factory, ServerLink link, ReplicaConnections connections)
            throws IOException {
        while (true) {
            Optional<RegistrationPort> master = link.master(context::check);
            if (master.isEmpty()) {
                return Optional.empty();
            }
            try {
                ShardAssignment assignment = master.get().register(index);
                connections.minibatchesPerEpoch(assignment.minibatchesPerEpoch());
                return Optional.of(
                        new HostedShard(factory.shard(index, assignment), assignment.term(), assignment.life()));
            } catch (MasterGoneException gone) {
                // The next master sends its own assignment.
                context.check();
            }
        }
    }
}
