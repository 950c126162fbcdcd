package dev.edl.testkit;

import dev.edl.env.DmlcEnv;
import org.jspecify.annotations.Nullable;

/** Assertions on MXNet's {@code DMLC_*}: where the scheduler is, how many there are, and which role the replica has. */
public final class DmlcAssert extends EdlAssert<DmlcAssert, DmlcEnv> {
    private final String owner;

    DmlcAssert(String owner, @Nullable DmlcEnv actual) {
        super(actual, DmlcAssert.class);
        this.owner = owner;
    }

    @Override
    protected String subject() {
        return owner;
    }

    private DmlcEnv env() {
        isNotNull();
        return actual;
    }

    /** The replica's role: {@code scheduler}, {@code server}, {@code worker}. */
    public DmlcAssert hasRole(String role) {
        return same("role", role, env().role());
    }

    /** Where the scheduler is: {@code hasScheduler("mnist-scheduler-0", 9091)}. */
    public DmlcAssert hasScheduler(String host, int port) {
        return same("scheduler", host + ":" + port, env().rootUri() + ":" + actual.rootPort());
    }

    /** Number of servers. */
    public DmlcAssert hasServers(int servers) {
        return same("servers", servers, env().servers());
    }

    /** Number of workers. */
    public DmlcAssert hasWorkers(int workers) {
        return same("workers", workers, env().workers());
    }

    /** BytePS' number of the worker. */
    public DmlcAssert hasWorkerId(int id) {
        return present("worker id", id, env().workerId().stream().boxed().findFirst());
    }

    /** BytePS' number of the worker is not there. */
    public DmlcAssert hasNoWorkerId() {
        return absent("worker id", env().workerId().stream().boxed().findFirst());
    }

    /** The address that the replica advertises, when it is not the first that it has. */
    public DmlcAssert hasNodeHost(String host) {
        return present("node host", host, env().nodeHost());
    }

    /** Whether the scheduler advertises a name that it cannot bind to: {@code DMLC_USE_KUBERNETES=1}. */
    public DmlcAssert usesKubernetes(boolean uses) {
        return same("use of Kubernetes", uses, env().useKubernetes());
    }
}
