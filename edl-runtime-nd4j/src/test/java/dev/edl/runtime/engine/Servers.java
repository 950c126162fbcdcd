package dev.edl.runtime.engine;

import dev.edl.runtime.engine.files.ShardFactory;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.engine.ports.ShardSlot;
import dev.edl.runtime.ps.group.LocalShards;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Parameter servers that start on the test's thread. */
final class Servers {
    private Servers() {}

    /** Registers a server, puts its shard into its slot and reports it, as {@link PsRunner} does. */
    static ShardAssignment start(RegistrationPort master, ShardFactory factory, ShardSlot slot, int index) {
        ShardAssignment assignment = master.register(index);
        try {
            slot.install(factory.shard(index, assignment), assignment);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        master.ready(index, assignment.life());
        return assignment;
    }

    static ShardAssignment start(RegistrationPort master, SharedTrainingState services, int index) {
        return start(master, services.store().template(), slot(services, index), index);
    }

    /** Returns the slot of a shard in the group of an in-process run. */
    static ShardSlot slot(SharedTrainingState services, int index) {
        return new LocalReplicaRunner(services, (LocalShards) services.shards()).slot(index);
    }
}
