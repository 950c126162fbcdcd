package dev.edl.runtime.inprocess;

import dev.edl.exec.JobHandle;
import dev.edl.runtime.Progress;
import dev.edl.runtime.engine.SharedPassState;
import java.util.Optional;

/**
 * A running evaluation or prediction in this JVM: a {@link JobHandle} with progress and result. {@link #cancel} discards
 * its output so far. Thread-safe.
 *
 * @param <R> the result
 */
public final class PassRun<R> extends InProcessRun<R> {
    private final SharedPassState<R> services;

    PassRun(JobHandle job, SharedPassState<R> services, InProcessSubstrate substrate) {
        super(job, substrate, services.events());
        this.services = services;
    }

    @Override
    public Progress progress() {
        return services.progress();
    }

    @Override
    Optional<R> succeeded() {
        return services.result();
    }

    @Override
    void closeServices(InProcessSubstrate substrate) {
        services.close(substrate);
    }

    /** Returns one line: the job's phase and its progress or result. {@link #status()} has a row for each replica. */
    @Override
    public String toString() {
        return RunStatusLine.of(status(), progress(), result().map(Object::toString));
    }
}
