package dev.edl.k8s.preflight.internal;

import io.fabric8.kubernetes.api.model.Pod;

/**
 * Group of equal pods of a job.
 *
 * @param where the role's name, or {@code tensorBoard}
 * @param start number of these pods at the start of the job
 * @param least minimum number of these pods that the job needs to continue
 * @param pod example of these pods, as the job sends it
 * @param admitted the same pod after the API server's admission, as nodes, quotas and policies see it
 */
public record PodSet(String where, int start, int least, Pod pod, Pod admitted) {
    PodSet(String where, int start, int least, Pod pod) {
        this(where, start, least, pod, pod);
    }

    public PodSet withAdmitted(Pod changed) {
        return new PodSet(where, start, least, pod, changed);
    }

    /** Returns the path of a field of these pods, such as {@code worker.request}. */
    public String path(String field) {
        return where + "." + field;
    }
}
