package dev.edl.testkit;

import dev.edl.ElasticBounds;
import dev.edl.env.TorchrunEnv;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Assertions on torchrun's {@code PET_*}: how many nodes there are, where they meet, and which of them a replica is. */
public final class TorchrunAssert extends EdlAssert<TorchrunAssert, TorchrunEnv> {
    private final String owner;

    TorchrunAssert(String owner, @Nullable TorchrunEnv actual) {
        super(actual, TorchrunAssert.class);
        this.owner = owner;
    }

    @Override
    protected String subject() {
        return owner;
    }

    private TorchrunEnv env() {
        isNotNull();
        return actual;
    }

    /** So many nodes throughout. */
    public TorchrunAssert hasNodes(int nodes) {
        return hasNodes(nodes, nodes);
    }

    /** The least and the greatest number of nodes. */
    public TorchrunAssert hasNodes(int min, int max) {
        return same("nodes", new ElasticBounds(min, max), env().nodes());
    }

    /** Processes on a node: {@code "4"}, {@code "auto"}, {@code "gpu"} or {@code "cpu"}. */
    public TorchrunAssert hasProcesses(String processes) {
        return same("processes on a node", processes, env().processes());
    }

    /** Where node 0 is: {@code hasMaster("mnist-master-0", 23456)}. */
    public TorchrunAssert hasMaster(String host, int port) {
        return present("master", host + ":" + port, env().master().map(m -> m.host() + ":" + m.port()));
    }

    /** Which node the replica is, from 0. */
    public TorchrunAssert hasRank(int rank) {
        return present("rank", rank, env().master().map(TorchrunEnv.Master::rank));
    }

    /** Nodes meet at a rendezvous and have no rank of their own. */
    public TorchrunAssert hasNoMaster() {
        return absent("master", env().master().map(m -> m.host() + ":" + m.port()));
    }

    /** Where elastic nodes meet: {@code hasRendezvous("c10d", "mnist-worker-0:23456")}. */
    public TorchrunAssert hasRendezvous(String backend, String endpoint) {
        return present("rendezvous", backend + " at " + endpoint, rendezvous());
    }

    /** The nodes are fixed. */
    public TorchrunAssert hasNoRendezvous() {
        return absent("rendezvous", rendezvous());
    }

    private Optional<String> rendezvous() {
        return env().rendezvous().map(place -> place.backend() + " at " + place.endpoint());
    }

    /** What tells the job from others at the same rendezvous. */
    public TorchrunAssert hasRendezvousId(String id) {
        return present("rendezvous id", id, env().rendezvous().flatMap(TorchrunEnv.Rendezvous::id));
    }

    /** How often the processes of all nodes are started over before the job fails. */
    public TorchrunAssert hasMaxRestarts(int restarts) {
        return present(
                "restarts", restarts, env().maxRestarts().stream().boxed().findFirst());
    }
}
