package dev.edl.runtime;

import java.io.IOException;

/** A parameter server: keeps one shard, from its newest saved state or the initial values, until it is stopped. */
final class PsMain {
    private final ReplicaContext context;
    private final TrainingServices services;

    PsMain(ReplicaContext context, TrainingServices services) {
        this.context = context;
        this.services = services;
    }

    /** Keeps the shard until the replica is stopped. */
    void run() throws IOException, InterruptedException {
        int index = context.index();
        boolean again = services.attach(index);
        try {
            TrainingMaster master = services.masterSlot().peek();
            // The first shard of its place has lost nothing, and workers may be busy with it already.
            if (again && master != null) {
                reopen(master);
            }
            context.awaitStop();
        } finally {
            services.shards().detach(index);
        }
    }

    private static void reopen(TrainingMaster master) throws InterruptedException {
        try {
            master.reopen();
        } catch (MasterGone next) {
            // The next master compares the ledger with the shards before it hands out work.
            return;
        }
    }
}
