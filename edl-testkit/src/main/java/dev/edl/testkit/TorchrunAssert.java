package dev.edl.testkit;

import dev.edl.env.TorchrunEnv;
import dev.edl.spec.ElasticBounds;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Assertions on torchrun's {@code PET_*}: the number of nodes, their rendezvous, and the replica's own rank. */
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

    /** Verifies a fixed number of nodes. */
    public TorchrunAssert hasNodes(int nodes) {
        return hasNodes(nodes, nodes);
    }

    /** Verifies the least and greatest number of nodes. */
    public TorchrunAssert hasNodes(int min, int max) {
        return same("nodes", new ElasticBounds(min, max), env().nodes());
    }

    /** Verifies the number of processes on each node: {@code "4"}, {@code "auto"}, {@code "gpu"} or {@code "cpu"}. */
    public TorchrunAssert hasProcesses(String processes) {
        return same("processes on a node", processes, env().processes());
    }

    /** Verifies the address of node 0: {@code hasMaster("mnist-master-0", 23456)}. */
    public TorchrunAssert hasMaster(String host, int port) {
        return present("master", host + ":" + port, env().master().map(m -> m.host() + ":" + m.port()));
    }

    /** Verifies the replica's rank among the nodes, from 0. */
    public TorchrunAssert hasRank(int rank) {
        return present("rank", rank, env().master().map(TorchrunEnv.Master::rank));
    }

    /** Verifies that no address of node 0 and no rank are set, as for nodes that meet at a rendezvous. */
    public TorchrunAssert hasNoMaster() {
        return absent("master", env().master().map(m -> m.host() + ":" + m.port()));
    }

    /**
     * Verifies backend and address of the rendezvous of elastic nodes:
     * {@code hasRendezvous("c10d", "mnist-worker-0:23456")}.
     */
    public TorchrunAssert hasRendezvous(String backend, String endpoint) {
        return present("rendezvous", backend + " at " + endpoint, rendezvous());
    }

    /** Verifies that no rendezvous is set, as for a fixed number of nodes. */
    public TorchrunAssert hasNoRendezvous() {
        return absent("rendezvous", rendezvous());
    }

    private Optional<String> rendezvous() {
        return env().rendezvous().map(place -> place.backend() + " at " + place.endpoint());
    }

    /** Verifies the id of the job at the rendezvous. */
    public TorchrunAssert hasRendezvousId(String id) {
        return present("rendezvous id", id, env().rendezvous().flatMap(TorchrunEnv.Rendezvous::id));
    }

    /** Verifies how often the processes of all nodes restart before the job fails. */
    public TorchrunAssert hasMaxRestarts(int restarts) {
        return present(
                "restarts", restarts, env().maxRestarts().stream().boxed().findFirst());
    }
}
