package dev.edl.operators.crd.et;

import dev.edl.plan.JobPlan;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Order of a job's scaling requests. One request is in progress at a time, and ends before the next. */
public enum ScaleOrder {
    /** In order of creation. */
    OLDEST_FIRST,
    /** As in et-operator: a request waits for all later ones. */
    NEWEST_FIRST;

    /**
     * Returns the next request; empty for none. Ignores ended requests and those of other jobs, by namespace and name.
     *
     * @param job the plan of the job
     * @param scalers requests of any job and namespace
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
