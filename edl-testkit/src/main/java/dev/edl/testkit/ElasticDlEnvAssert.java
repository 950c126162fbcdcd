package dev.edl.testkit;

import dev.edl.env.ElasticDlEnv;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Assertions on what ElasticDL's replicas, and those of EDL's own runtime, read: the master, the servers, and who they are. */
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

    /** The job's name. */
    public ElasticDlEnvAssert hasJob(String name) {
        return same("job", name, env().job());
    }

    /** The replica's role and its place in it: {@code hasPlace("ps", 1)}. */
    public ElasticDlEnvAssert hasPlace(String role, int index) {
        return same("place", role + " " + index, env().role().id() + " " + actual.index());
    }

    /** The worker's id, which no other worker of the run has had. */
    public ElasticDlEnvAssert hasWorkerId(int id) {
        return present("worker id", id, env().workerId().stream().boxed().findFirst());
    }

    /** Number of workers at the start. */
    public ElasticDlEnvAssert hasWorkers(int workers) {
        return present("workers", workers, env().workers().stream().boxed().findFirst());
    }

    /** Where the master is, {@code host:port}. */
    public ElasticDlEnvAssert hasMaster(String address) {
        return present("master", address, env().master());
    }

    /** Verifies that the environment has no master address. */
    public ElasticDlEnvAssert hasNoMaster() {
        return absent("master", env().master());
    }

    /** Where the parameter servers are, {@code host:port}, all of them by index; none for a job without. */
    public ElasticDlEnvAssert hasPs(String... addresses) {
        return same("parameter servers", List.of(addresses), env().ps());
    }
}
