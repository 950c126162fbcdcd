package dev.edl.k8s.preflight.internal;

import io.fabric8.kubernetes.api.model.Pod;

/**
 * Pods of a job that are alike.
 *
 * @param where the role's word, or {@code tensorBoard}
 * @param start how many the job starts with
 * @param least with how many of them it goes on
 * @param pod one of them
 */
public record PodGroup(String where, int start, int least, Pod pod) {
    /** A field of it. */
    public String path(String field) {
        return where + "." + field;
    }
}
