package dev.edl.operators.crd;

import dev.edl.status.JobPhase;
import java.util.Objects;

/**
 * Status of a job, read from what its operator wrote into the resource, with the operator's phase mapped to one of EDL.
 *
 * <p>A resource without a status is {@link JobPhase#PENDING}: its operator has not reconciled it yet. The phase is
 * never {@link JobPhase#CANCELLED}, because a job of an operator is cancelled by deleting its resource.
 *
 * @param phase phase of the job
 * @param message the operator's message about this phase; empty for none
 */
public record ResourceStatus(JobPhase phase, String message) {
    /** Checks that no component is null. */
    public ResourceStatus {
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(message, "message");
    }

    /** Returns for example {@code FAILED: invalid job spec: The MASTER must have Replicas = 1}. */
    @Override
    public String toString() {
        return phase + (message.isEmpty() ? "" : ": " + message);
    }
}
