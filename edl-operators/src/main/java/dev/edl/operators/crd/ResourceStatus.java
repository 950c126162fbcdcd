package dev.edl.operators.crd;

import dev.edl.status.JobPhase;
import java.util.Objects;

/**
 * Status of a job as its operator wrote it into the resource, mapped to EDL's phases.
 *
 * <p>A resource without a status is {@link JobPhase#PENDING}: its operator has not reconciled it yet. A resource is
 * never {@link JobPhase#CANCELLED}: such a job is cancelled by deletion.
 *
 * @param phase of the job
 * @param message the operator's reason; empty for none
 */
public record ResourceStatus(JobPhase phase, String message) {
    /** Checks that nothing is null. */
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
