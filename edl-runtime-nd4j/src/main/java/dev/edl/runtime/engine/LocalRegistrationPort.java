package dev.edl.runtime.engine;

import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.ps.ShardLife;
import java.util.concurrent.atomic.AtomicLongArray;

/** Parameter servers' client of the master in the same JVM. */
final class LocalRegistrationPort implements RegistrationPort {
    private final TrainingMaster master;
    private final SharedTrainingState services;
    /** By shard index: the number of lives that the shard has begun in the master's term. */
    private final AtomicLongArray lives;

    LocalRegistrationPort(TrainingMaster master, SharedTrainingState services) {
        this.master = master;
        this.services = services;
        this.lives = new AtomicLongArray(services.shards().count());
    }

    @Override
    public ShardAssignment register(int shard) {
        master.requirePresent();
        services.lives().begins();
        services.absences().starts("ps-" + shard);
        ShardLife life = new ShardLife(services.runOfLives(), master.term().number(), lives.getAndIncrement(shard));
        return new ShardAssignment(
                master.term(),
                life,
                services.store().ledgerSpec().pushIds().minibatchesPerEpoch(),
                services.store().saved(shard).orElse(null));
    }

    @Override
    public void ready(int shard, ShardLife life) {
        master.requirePresent();
        // Asks no shard: a shard of a later master would throw at the server that registers.
        services.lives().begun(shard);
        master.wake();
    }

    /** Returns text for people, for example {@code the servers' end of term 2 of mnist-master-0.2}. */
    @Override
    public String toString() {
        return "the servers' end of " + master.term();
    }
}
