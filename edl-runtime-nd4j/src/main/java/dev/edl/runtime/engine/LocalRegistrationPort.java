package dev.edl.runtime.engine;

import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.ps.ShardLife;
import java.util.concurrent.atomic.AtomicLongArray;

/** The master of this JVM, as its parameter servers have it. */
final class LocalRegistrationPort implements RegistrationPort {
    private final TrainingMaster master;
    private final TrainingServices services;
    /** The lives of each shard in the master's term. */
    private final AtomicLongArray lives;

    LocalRegistrationPort(TrainingMaster master, TrainingServices services) {
        this.master = master;
        this.services = services;
        this.lives = new AtomicLongArray(services.shards().count());
    }

    @Override
    public ShardAssignment register(int shard) {
        master.requirePresent();
        services.lives().begins();
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
        services.lives().begun(shard);
        // It may have taken versions back.
        services.step();
        master.wake();
    }

    /** Returns the text for people, for example {@code the servers' end of term 2 of mnist-master-0.2}. */
    @Override
    public String toString() {
        return "the servers' end of " + master.term();
    }
}
