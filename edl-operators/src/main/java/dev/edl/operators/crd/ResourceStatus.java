package dev.edl.operators.crd;

import dev.edl.status.JobPhase;
import java.util.Objects;

/**
 * How a job stands by what its operator wrote into its resource, in EDL's words.
 *
 * <p>A resource without a status is {@link JobPhase#PENDING}: its operator has not seen it yet. A resource never says {@link JobPhase#CANCELLED}: who cancels such a job deletes it.
 *
 * @param phase where the job is
 * @param message why, in the operator's words; empty when it says nothing
 */
public record ResourceStatus(JobPhase phase, String message) {
    /** Checks that nothing is null. */
    public ResourceStatus {
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(message, "message");
    }

    /** For example {@code FAILED: invalid job spec: The MASTER must have Replicas = 1}. */
    @Override
    public String toString() {
        return phase + (message.isEmpty() ? "" : ": " + message);
    }
}
