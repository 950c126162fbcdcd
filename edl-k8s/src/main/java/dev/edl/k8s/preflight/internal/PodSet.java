package dev.edl.k8s.preflight.internal;

import io.fabric8.kubernetes.api.model.Pod;

/**
 * Equal pods of a job.
 *
 * @param where the role's name, or {@code tensorBoard}
 * @param start number at the start of the job
 * @param least minimum that the job needs to continue
 * @param pod an example
 */
public record PodSet(String where, int start, int least, Pod pod) {
    /** Returns the path of a field. */
    public String path(String field) {
        return where + "." + field;
    }
}
