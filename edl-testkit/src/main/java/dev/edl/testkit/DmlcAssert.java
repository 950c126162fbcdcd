package dev.edl.testkit;

import dev.edl.env.DmlcEnv;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on MXNet's {@code DMLC_*}: the scheduler's address, the numbers of servers and workers, and the replica's
 * role.
 */
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

    /** Verifies the replica's role: {@code scheduler}, {@code server}, {@code worker}. */
    public DmlcAssert hasRole(String role) {
        return same("role", role, env().role());
    }

    /** Verifies the scheduler's address: {@code hasScheduler("mnist-scheduler-0", 9091)}. */
    public DmlcAssert hasScheduler(String host, int port) {
        return same("scheduler", host + ":" + port, env().rootUri() + ":" + actual.rootPort());
    }

    /** Verifies the number of servers. */
    public DmlcAssert hasServers(int servers) {
        return same("servers", servers, env().servers());
    }

    /** Verifies the number of workers. */
    public DmlcAssert hasWorkers(int workers) {
        return same("workers", workers, env().workers());
    }

    /** Verifies {@code DMLC_WORKER_ID}, the worker's number, which BytePS reads. */
    public DmlcAssert hasWorkerId(int id) {
        return present("worker id", id, env().workerId().stream().boxed().findFirst());
    }

    /** Verifies that {@code DMLC_WORKER_ID}, the worker's number for BytePS, is absent. */
    public DmlcAssert hasNoWorkerId() {
        return absent("worker id", env().workerId().stream().boxed().findFirst());
    }

    /**
     * Verifies {@code DMLC_NODE_HOST}, the address that the replica advertises in place of its first non-loopback
     * address.
     */
    public DmlcAssert hasNodeHost(String host) {
        return present("node host", host, env().nodeHost());
    }

    /**
     * Verifies whether {@code DMLC_USE_KUBERNETES=1} is set, by which the scheduler binds to all addresses and
     * advertises its name.
     */
    public DmlcAssert usesKubernetes(boolean uses) {
        return same("use of Kubernetes", uses, env().useKubernetes());
    }
}
