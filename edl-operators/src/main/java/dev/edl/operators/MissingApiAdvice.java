package dev.edl.operators;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;

/** Explains why a cluster does not serve a resource. Uses API discovery, which every account may read. */
final class MissingApiAdvice {
    private MissingApiAdvice() {}

    /** Returns text that names the missing API and how to install it; empty when the cluster serves the resource. */
    static Optional<String> of(KubernetesClient client, CustomResourceKind resource) {
        if (serves(client, resource, resource.version())) {
            return Optional.empty();
        }
        APIGroup group = client.getApiGroup(resource.group());
        List<String> served = group == null
                ? List.of()
                : group.getVersions().stream()
                        .map(GroupVersionForDiscovery::getVersion)
                        .filter(version -> serves(client, resource, version))
                        .toList();
        return Optional.of(
                served.isEmpty()
                        ? "the cluster has no CustomResourceDefinition " + resource.definition() + "; "
                                + resource.install()
                        : "the cluster serves " + resource.definition() + " in " + String.join(", ", served)
                                + ", not in " + resource.version() + "; " + resource.install());
    }

    private static boolean serves(KubernetesClient client, CustomResourceKind resource, String version) {
        APIResourceList list = client.getApiResources(resource.group() + "/" + version);
        return list != null
                && list.getResources().stream().anyMatch(one -> one.getName().equals(resource.plural()));
    }
}
