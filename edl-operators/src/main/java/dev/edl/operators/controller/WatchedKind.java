package dev.edl.operators.controller;

import dev.edl.operators.controller.internal.ObjectKey;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/**
 * Kind that a session watches, with the description of its resource that the Kubernetes client needs.
 *
 * @param name the kind's name, such as {@code MxJob}
 * @param statusApart whether the kind has a status subresource
 */
record WatchedKind(ManagedKind kind, String name, boolean statusApart, ResourceDefinitionContext context) {
    static WatchedKind of(ManagedKind kind) {
        CustomResourceDefinition definition = kind.definition();
        var version = definition.getSpec().getVersions().get(0);
        return new WatchedKind(
                kind,
                definition.getSpec().getNames().getKind(),
                version.getSubresources() != null && version.getSubresources().getStatus() != null,
                new ResourceDefinitionContext.Builder()
                        .withGroup(definition.getSpec().getGroup())
                        .withVersion(version.getName())
                        .withKind(definition.getSpec().getNames().getKind())
                        .withPlural(definition.getSpec().getNames().getPlural())
                        .withNamespaced(true)
                        .build());
    }

    /** Returns the kind's name with its API group, such as {@code MxJob.mlkube.io}. */
    String key() {
        return ObjectKey.kind(context.getGroup(), name);
    }

    MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>> in(
            KubernetesClient client) {
        return client.genericKubernetesResources(context);
    }
}
