package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.LookupResult;
import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks that the API server serves each custom kind in the version that is sent. */
final class KindCheck {
    private KindCheck() {}

    static void check(CheckContext context) {
        Stream.concat(
                        context.objects().stream()
                                .filter(GenericKubernetesResource.class::isInstance)
                                .map(object -> context.delegated().isPresent()
                                        ? ""
                                        : object.getApiVersion() + "#" + object.getKind()),
                        context.delegated().stream().map(object -> object.getApiVersion() + "#" + object.getKind()))
                .filter(kind -> !kind.isEmpty())
                .distinct()
                .forEach(kind ->
                        check(context, kind.substring(0, kind.indexOf('#')), kind.substring(kind.indexOf('#') + 1)));
    }

    private static void check(CheckContext context, String version, String kind) {
        LookupResult<APIResourceList> seen = context.lookUp(
                ProblemTopic.KIND,
                "job",
                "kind " + kind + " of " + version,
                "read the API's groups",
                () -> context.client().getApiResources(version));
        boolean served = seen.value()
                .filter(list -> list.getResources().stream()
                        .anyMatch(resource -> resource.getKind().equals(kind)))
                .isPresent();
        if (served || !seen.known()) {
            return;
        }
        String group = version.replaceAll("/.*", "");
        APIGroup other = context.client().getApiGroup(group);
        String why = other == null
                ? "no CustomResourceDefinition of the group " + group + " is installed"
                : "of group " + group + " the cluster serves only "
                        + other.getVersions().stream()
                                .map(GroupVersionForDiscovery::getGroupVersion)
                                .collect(Collectors.joining(", "))
                        + (seen.value().isPresent() ? ", without this kind" : "");
        context.findings()
                .error(
                        ProblemTopic.KIND,
                        "job",
                        "the cluster serves no kind " + kind + " of " + version,
                        why,
                        ProblemFix.of("install its operator with the CustomResourceDefinition, or write the job in a"
                                + " version that is"
                                + " served"));
        context.findings().refused(kind);
    }
}
