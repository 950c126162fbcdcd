package dev.edl.k8s.preflight.internal;

import io.fabric8.kubernetes.api.model.Pod;

/**
 * Group of equal pods of a job.
 *
 * @param where the role's name, or {@code tensorBoard}
 * @param start number of these pods at the start of the job
 * @param least minimum number of these pods that the job needs to continue
 * @param pod example of these pods
 */
public record PodSet(String where, int start, int least, Pod pod) {
    /** Returns the path of a field of these pods, such as {@code worker.request}. */
    public String path(String field) {
        return where + "." + field;
    }
}
