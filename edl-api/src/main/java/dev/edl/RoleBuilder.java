package dev.edl;

import dev.edl.internal.text.MessageText;
import dev.edl.spec.ElasticBounds;

/**
 * Builder of one role, passed to the lambda of methods such as
 * {@link JobBuilder#workers(int, java.util.function.Consumer)}. Not safe for use by several threads.
 */
public final class RoleBuilder extends RoleScope<RoleBuilder> {
    private final JobBuilder job;
    private final RoleDraft draft;

    RoleBuilder(JobBuilder job, RoleDraft draft) {
        this.job = job;
        this.draft = draft;
    }

    /**
     * Sets the bounds between which the workers may be scaled while the job runs.
     *
     * @param min smallest number of workers, at least 1
     * @param max largest number of workers, at least {@code min}
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

    /** Returns one line for people: {@code RoleBuilder worker: 4 replicas, elastic 1..8, image a:1}. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(
                "RoleBuilder " + draft.path + ": " + draft.replicas + (draft.replicas == 1 ? " replica" : " replicas"));
        if (draft.elastic != null) {
            line.append(", elastic ").append(draft.elastic);
        }
        if (draft.image != null) {
            line.append(", image ").append(draft.image);
        }
        return MessageText.oneLine(line.toString());
    }
}
