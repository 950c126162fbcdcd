package dev.edl.cli;

import dev.edl.Job;
import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.CustomResourceKind;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.kubeflow.MpiJobVersion;
import dev.edl.operators.crd.kubeflow.MpiJobs;
import dev.edl.operators.crd.mxjob.MxJobGroup;
import dev.edl.operators.crd.tfjob.TfJobRelease;
import dev.edl.plan.Profile;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Kind of custom resource that {@code edl} reads and writes, named as kubectl names it: {@code tfjob.v1.kubeflow.org}.
 *
 * @param apiVersion group and version, such as {@code kubeflow.org/v1}
 * @param kind kind, such as {@code TFJob}
 * @param profile profile of the operator that runs it
 * @param writer writes a job as the resource
 * @param resource kind of the jobs in a cluster; empty for a kind that is only written
 */
record ResourceKind(
        String apiVersion,
        String kind,
        Profile profile,
        BiFunction<Job, PodOptions, ResourceWriteResult> writer,
        Optional<CustomResourceKind> resource) {
    private static final List<ResourceKind> ALL = List.of(
            tfJob(TfJobRelease.MLKUBE),
            tfJob(TfJobRelease.TENSORFLOW),
            tfJob(TfJobRelease.KUBEFLOW),
            of(CustomResourceKind.kubeflowTfJob()),
            of(CustomResourceKind.kubeflowPyTorchJob()),
            mxJob(MxJobGroup.MLKUBE),
            mxJob(MxJobGroup.MXNET_MLKUBE),
            of(CustomResourceKind.kubeflowMxJob()),
            of(CustomResourceKind.kubeflowMpiJob()),
            new ResourceKind(
                    "kubeflow.org/v2beta1",
                    "MPIJob",
                    Profile.KUBEFLOW_V1,
                    (job, options) -> MpiJobs.write(job, options, MpiJobVersion.V2BETA1),
                    Optional.empty()),
            of(CustomResourceKind.trainingJob()));

    private static ResourceKind tfJob(TfJobRelease release) {
        return of(CustomResourceKind.tfJob(release));
    }

    private static ResourceKind mxJob(MxJobGroup group) {
        return of(CustomResourceKind.mxJob(group));
    }

    private static ResourceKind of(CustomResourceKind resource) {
        return new ResourceKind(
                resource.apiVersion(), resource.kind(), resource.profile(), resource::write, Optional.of(resource));
    }

    /** Returns the kinds of resources by which operators run jobs in a cluster. */
    static Stream<CustomResourceKind> resources() {
        return ALL.stream().flatMap(kind -> kind.resource.stream());
    }

    /**
     * Returns the kind of a name such as {@code pytorchjob} or {@code tfjob.v1.kubeflow.org}; its parts may be left out
     * from the end if one kind remains.
     *
     * @throws IllegalArgumentException when no kind or several kinds have the name
     */
    static ResourceKind named(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        List<ResourceKind> found = ALL.stream()
                .filter(each -> each.name().equals(wanted) || each.name().startsWith(wanted + "."))
                .toList();
        if (found.size() == 1) {
            return found.get(0);
        }
        List<String> known = ALL.stream().map(ResourceKind::name).toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("kind must be that of a custom resource, was \"" + name + "\"; "
                    + SpellingSuggestion.to(
                                    wanted,
                                    Stream.concat(known.stream(), known.stream().map(each -> each.split("\\.")[0]))
                                            .distinct()
                                            .toList())
                            .map(near -> "did you mean " + near + "?")
                            .orElseGet(() -> "known are " + String.join(", ", known)));
        }
        throw new IllegalArgumentException("kind \"" + name + "\" is that of several resources; name one of "
                + found.stream().map(ResourceKind::name).collect(Collectors.joining(", ")));
    }

    /** Returns the kind of an object, in any spelling of its operators; empty when {@code edl} writes no such kind. */
    static Optional<ResourceKind> of(CustomObject object) {
        return ALL.stream()
                .filter(each ->
                        each.apiVersion.equals(object.apiVersion()) && each.kind.equalsIgnoreCase(object.kind()))
                .findFirst();
    }

    /** Returns kubectl's name of the kind, such as {@code tfjob.v1.kubeflow.org}. */
    String name() {
        int slash = apiVersion.indexOf('/');
        return kind.toLowerCase(Locale.ROOT) + "." + apiVersion.substring(slash + 1) + "."
                + apiVersion.substring(0, slash);
    }
}
