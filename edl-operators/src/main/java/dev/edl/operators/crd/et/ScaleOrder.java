package dev.edl.operators.crd.et;

import dev.edl.plan.JobPlan;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Order in which a job's scaling requests are carried out. One request is in progress at a time, and it ends before the
 * next one starts.
 */
public enum ScaleOrder {
    /** By creation time: the oldest waiting request is next. */
    OLDEST_FIRST,
    /** By descending creation time, as in et-operator: a request waits for all that were created after it. */
    NEWEST_FIRST;

    /**
     * Returns the request to carry out next; empty when there is none. Ignores ended requests, and requests whose
     * namespace or job name differs from that of the job.
     *
     * @param job the plan of the job
     * @param scalers requests, also those of other jobs and namespaces
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
