package dev.edl.testkit;

import dev.edl.env.ElasticDlEnv;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on the variables of ElasticDL and of EDL's own runtime: the addresses of master and parameter servers, and
 * the replica's identity.
 */
public final class ElasticDlEnvAssert extends EdlAssert<ElasticDlEnvAssert, ElasticDlEnv> {
    private final String owner;

    ElasticDlEnvAssert(String owner, @Nullable ElasticDlEnv actual) {
        super(actual, ElasticDlEnvAssert.class);
        this.owner = owner;
    }

    @Override
    protected String subject() {
        return owner;
    }

    private ElasticDlEnv env() {
        isNotNull();
        return actual;
    }

    /** Verifies the job's name. */
    public ElasticDlEnvAssert hasJob(String name) {
        return same("job", name, env().job());
    }

    /** Verifies the replica's own role and index: {@code hasPlace("ps", 1)}. */
    public ElasticDlEnvAssert hasPlace(String role, int index) {
        return same("place", role + " " + index, env().role().id() + " " + actual.index());
    }

    /** Verifies the worker's id, which is unique within the run. */
    public ElasticDlEnvAssert hasWorkerId(int id) {
        return present("worker id", id, env().workerId().stream().boxed().findFirst());
    }

    /** Verifies the number of workers at the start. */
    public ElasticDlEnvAssert hasWorkers(int workers) {
        return present("workers", workers, env().workers().stream().boxed().findFirst());
    }

    /** Verifies the master's address, {@code host:port}. */
    public ElasticDlEnvAssert hasMaster(String address) {
        return present("master", address, env().master());
    }

    /** Verifies that the environment has no master address. */
    public ElasticDlEnvAssert hasNoMaster() {
        return absent("master", env().master());
    }

    /**
     * Verifies the addresses {@code host:port} of all parameter servers, in the order of indexes; no argument for a job
     * without them.
     */
    public ElasticDlEnvAssert hasPs(String... addresses) {
        return same("parameter servers", List.of(addresses), env().ps());
    }
}
