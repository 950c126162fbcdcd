package dev.edl.runtime.engine;

import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.runtime.Training;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.ps.group.LocalShards;
import dev.edl.spec.RoleType;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Replicas of one training, which a test starts and stops individually: nothing is relaunched. */
final class Replicas implements AutoCloseable {
    final SharedTrainingState services;
    private final LocalReplicaRunner local;
    private final JobPlan plan;
    private final TrainingStore store;
    private final AtomicLong nanos = new AtomicLong();
    private volatile long tick;
    private final List<Replica> started = new CopyOnWriteArrayList<>();

    /** Creates a training with two parameter servers and a clock that stands still. */
    Replicas(Training training) throws IOException {
        this.plan = Fixture.job(2, 2).plan();
        this.store = TrainingStore.open(training, 2);
        LocalShards shards = new LocalShards(store.contents(), 2, Duration.ofMillis(5));
        this.services = new SharedTrainingState(
                plan.replicaName(RoleType.MASTER, 0),
                training,
                shards,
                store,
                new EventHub("unit", training.listeners()),
                null,
                null,
                new RunClock(() -> Instant.EPOCH, () -> nanos.addAndGet(tick)));
        this.local = new LocalReplicaRunner(services, shards);
    }

    /** One replica on its own thread. */
    final class Replica {
        private final ReplicaPlan replica;
        private final ReplicaContext context;
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile @Nullable Throwable failure;

        private UnaryOperator<MasterPort> port = master -> master;

        private Replica(String role, int id) {
            this.replica = plan.replica(role, id);
            this.context = new ReplicaContext(replica);
        }

        private void begin() {
            Thread thread = new Thread(this::live, replica.name());
            thread.setDaemon(true);
            thread.start();
        }

        private void live() {
            try {
                if (replica.role() == RoleType.WORKER) {
                    local.worker(context, port).run();
                } else {
                    local.run(replica, context);
                }
            } catch (Throwable thrown) {
                failure = thrown;
            } finally {
                local.gone(replica);
                ended.countDown();
            }
        }

        /** Waits for its end; returns its exception, or null if it ended well. */
        @Nullable
        Throwable end() {
            Waits.on(ended);
            return failure;
        }

        /** Stops it and waits for its end. */
        void stop() {
            context.stop();
            Waits.on(ended);
        }
    }

    /** Makes each read of the clock advance it by a duration. */
    void tick(Duration passes) {
        tick = passes.toNanos();
    }

    Replica start(String role, int id) {
        Replica replica = new Replica(role, id);
        started.add(replica);
        replica.begin();
        return replica;
    }

    /** Starts a worker with a wrapped client of the master. */
    Replica start(String role, int id, UnaryOperator<MasterPort> port) {
        Replica replica = new Replica(role, id);
        replica.port = port;
        started.add(replica);
        replica.begin();
        return replica;
    }

    @Override
    public void close() throws IOException {
        started.forEach(replica -> replica.context.stop());
        services.shards().close();
        started.forEach(Replica::end);
        services.events().close();
        store.close();
    }
}
