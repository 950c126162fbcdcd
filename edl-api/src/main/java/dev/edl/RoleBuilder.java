package dev.edl;

/**
 * One role of a job that is being built, as the lambda of {@link JobBuilder#workers(int, java.util.function.Consumer)}
 * and its like receives it. Not safe for use by several threads.
 */
public final class RoleBuilder extends RoleScope<RoleBuilder> {
    private final JobBuilder job;
    private final RoleDraft draft;

    RoleBuilder(JobBuilder job, RoleDraft draft) {
        this.job = job;
        this.draft = draft;
    }

    /**
     * Between which numbers of replicas the workers may be scaled while the job runs.
     *
     * @param min at least 1
     * @param max at least {@code min}
     */
    public RoleBuilder elastic(int min, int max) {
        return read("elastic", () -> new ElasticBounds(min, max), bounds -> draft.elastic = bounds);
    }

    @Override
    RoleDraft draft() {
        return draft;
    }

    @Override
    void mistake(String line) {
        job.mistake(line);
    }

    @Override
    RoleBuilder self() {
        return this;
    }
}
