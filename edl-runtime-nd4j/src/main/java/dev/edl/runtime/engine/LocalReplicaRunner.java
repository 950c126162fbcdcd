package dev.edl.runtime.engine;

import dev.edl.plan.ReplicaPlan;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.engine.ports.ShardSlot;
import dev.edl.runtime.ps.group.LocalShards;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * Runs the replicas of a training in one JVM. They find each other through the shared state of the training and its
 * shard group.
 */
public final class LocalReplicaRunner implements ReplicaRunner {
    private final SharedTrainingState services;
    private final LocalShards shards;

    /**
     * Creates the replicas of one run.
     *
     * @param shards the shard group of {@code services}
     */
    public LocalReplicaRunner(SharedTrainingState services, LocalShards shards) {
        this.services = services;
        this.shards = shards;
    }

    @Override
    public void run(ReplicaPlan replica, ReplicaContext context) throws IOException, InterruptedException {
        switch (replica.role()) {
            case MASTER -> new MasterRunner(context, services).run();
            case PS -> server(context).run();
            case WORKER -> worker(context, master -> master).run();
            default -> throw new IllegalStateException(replica.role() + " is not a role of the in-process runtime");
        }
    }

    @Override
    public void gone(ReplicaPlan replica) {
        services.departures().gone(replica);
    }

    private PsRunner server(ReplicaContext context) {
        return new PsRunner(
                context,
                services.store().template(),
                slot(context.index()),
                () -> services.registrationSlot().await(context, services::isOver));
    }

    /** Returns the slot into which a parameter server puts the shard with this index. */
    ShardSlot slot(int index) {
        return new ShardSlot() {
            @Override
            public void install(ParameterShard shard, ShardAssignment assignment) {
                shards.attach(index, shard, assignment.term(), assignment.life());
            }

            @Override
            public void remove() {
                shards.detach(index);
            }
        };
    }

    /**
     * Creates a worker without starting it.
     *
     * @param port wraps the worker's client of a master
     */
    WorkerRunner worker(ReplicaContext context, UnaryOperator<MasterPort> port) {
        return WorkerRunner.ofTraining(
                context,
                services.training(),
                shards.worker(context.name()),
                () -> services.master(context)
                        .map(present -> port.apply(new LocalMasterPort(present, services, context.name()))),
                services::nanos);
    }

    /** Returns text for people, for example {@code replicas over 2 shards, 4 members}. */
    @Override
    public String toString() {
        return "replicas over " + shards;
    }
}
