package dev.edl.runtime.engine;

import dev.edl.runtime.engine.files.ShardFactory;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.engine.ports.ShardSlot;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.StaleTermException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Parameter server: serves one shard until it is stopped, from the newest saved state or the initial values. It waits
 * for a master, which assigns a number to each life of the shard. It waits for no other server.
 */
public final class PsRunner {
    private final ReplicaContext context;
    private final ShardFactory factory;
    private final ShardSlot slot;
    private final Supplier<Optional<RegistrationPort>> masters;

    /**
     * Creates a server that is not started.
     *
     * @param factory creates its shard
     * @param slot makes that shard reachable for workers and the master
     * @param masters returns the current master, and waits for one; empty once the run is complete
     */
    public PsRunner(
            ReplicaContext context,
            ShardFactory factory,
            ShardSlot slot,
            Supplier<Optional<RegistrationPort>> masters) {
        this.context = context;
        this.factory = factory;
        this.slot = slot;
        this.masters = masters;
    }

    /**
     * Serves the shard until the replica is stopped. The master compares the shard with the ledger and requeues lost
     * work.
     *
     * @throws TryAgainException if no master comes
     */
    public void run() throws IOException, InterruptedException {
        Optional<ShardLife> life = begin();
        if (life.isEmpty()) {
            context.awaitStop();
            return;
        }
        try {
            report(life.get());
            context.awaitStop();
        } finally {
            slot.remove();
        }
    }

    /** Begins a life of the shard; empty if the training is complete and its result is written. */
    private Optional<ShardLife> begin() throws IOException {
        while (true) {
            Optional<RegistrationPort> master = masters.get();
            if (master.isEmpty()) {
                return Optional.empty();
            }
            try {
                ShardAssignment assignment = master.get().register(context.index());
                slot.install(factory.shard(context.index(), assignment), assignment);
                return Optional.of(assignment.life());
            } catch (MasterGoneException gone) {
                // The next master sends its own assignment.
                context.check();
            } catch (StaleTermException replaced) {
                throw new TryAgainException(ExceptionText.of(replaced), replaced);
            }
        }
    }

    /** Reports a life of the shard to the masters until one accepts the report; the shard serves meanwhile. */
    private void report(ShardLife life) {
        boolean reported = false;
        while (!reported) {
            Optional<RegistrationPort> master = masters.get();
            if (master.isEmpty()) {
                return;
            }
            try {
                master.get().ready(context.index(), life);
                reported = true;
            } catch (MasterGoneException gone) {
                // The next master must compare the shard.
                context.check();
            }
        }
    }
}
