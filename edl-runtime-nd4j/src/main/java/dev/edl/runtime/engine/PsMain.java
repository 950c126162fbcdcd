package dev.edl.runtime.engine;

import dev.edl.runtime.engine.files.ShardTemplate;
import dev.edl.runtime.engine.ports.MasterGoneException;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.engine.ports.ShardHost;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.StaleTermException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A parameter server: keeps one shard, from its newest saved state or the initial values, until it is stopped. It waits for a
 * master, which gives each life its number, and for no other server.
 */
public final class PsMain {
    private final ReplicaContext context;
    private final ShardTemplate template;
    private final ShardHost host;
    private final Supplier<Optional<RegistrationPort>> masters;

    /**
     * A server that has not begun.
     *
     * @param template makes its shard
     * @param host the place of its shard
     * @param masters waits for the master that is there, or comes; empty when none will come, as all is done
     */
    public PsMain(
            ReplicaContext context,
            ShardTemplate template,
            ShardHost host,
            Supplier<Optional<RegistrationPort>> masters) {
        this.context = context;
        this.template = template;
        this.host = host;
        this.masters = masters;
    }

    /**
     * Keeps the shard until the replica is stopped. What it has lost is the master's affair, which compares.
     *
     * @throws TryAgainException when no master comes
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
            host.withdraw();
        }
    }

    /** Begins a life; empty when all is trained and written. */
    private Optional<ShardLife> begin() throws IOException {
        while (true) {
            Optional<RegistrationPort> master = masters.get();
            if (master.isEmpty()) {
                return Optional.empty();
            }
            try {
                ShardAssignment assignment = master.get().register(context.index());
                host.place(template.shard(context.index(), assignment), assignment);
                return Optional.of(assignment.life());
            } catch (MasterGoneException gone) {
                // The next master gives an order of its own.
                context.check();
            } catch (StaleTermException replaced) {
                throw new TryAgainException(ExceptionText.of(replaced), replaced);
            }
        }
    }

    /** Reports a life to the first master that takes the report; the shard serves meanwhile. */
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
                // The next master has to compare the shard.
                context.check();
            }
        }
    }
}
