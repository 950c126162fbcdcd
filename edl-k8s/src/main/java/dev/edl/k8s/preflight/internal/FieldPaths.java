package dev.edl.k8s.preflight.internal;

import java.util.Collection;
import java.util.stream.Collectors;

/** Formats the paths of a job's fields. */
public final class FieldPaths {
    private FieldPaths() {}

    /** Returns the paths of a field of several pod sets, each path once: {@code ps.request, worker.request}. */
    public static String of(Collection<PodSet> podSets, String field) {
        return podSets.stream().map(podSet -> podSet.path(field)).distinct().collect(Collectors.joining(", "));
    }
}
