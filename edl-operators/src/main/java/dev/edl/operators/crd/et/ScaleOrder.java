package dev.edl.operators.crd.et;

import dev.edl.plan.JobPlan;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Which of a job's requests goes first. One at a time is worked on, and one that was begun is brought to its end. */
public enum ScaleOrder {
    /** In the order in which they were made. */
    OLDEST_FIRST,
    /** As et-operator has it: a request waits for all that are made after it. */
    NEWEST_FIRST;

    /**
     * The request to work on; empty when there is none. Those that have ended do not count, nor do those of other jobs: a job is
     * known by its namespace and its name.
     *
     * @param job the plan of the job
     * @param scalers the requests, of other jobs and namespaces too
     */
    public Optional<Scaler> next(JobPlan job, Collection<Scaler> scalers) {
        Comparator<Scaler> created = Comparator.comparing(Scaler::created);
        Comparator<Scaler> begun = Comparator.comparing(scaler -> scaler.state().phase() == ScalePhase.WAITING);
        return scalers.stream()
                .filter(scaler -> ScaleDecider.isOf(job, scaler.request()))
                .filter(scaler -> !scaler.state().phase().ended())
                .min(begun.thenComparing(this == NEWEST_FIRST ? created.reversed() : created)
                        .thenComparing(Scaler::name));
    }
}
