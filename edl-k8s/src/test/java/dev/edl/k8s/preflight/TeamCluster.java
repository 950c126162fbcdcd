package dev.edl.k8s.preflight;

import dev.edl.k8s.SubmitReviews;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.function.Predicate;

/**
 * Mock cluster of one node {@code n} with 4 cores, and of namespace {@code team} with its default account. The client
 * is user {@code anna}.
 */
final class TeamCluster {
    private TeamCluster() {}

    /** @param allowed answers access reviews, by the text of the review */
    static void create(KubernetesClient client, KubernetesMockServer server, Predicate<String> allowed) {
        SubmitReviews.answer(server, "anna", allowed);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("team")
                        .endMetadata()
                        .build())
                .create();
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace("team")
                        .withName("default")
                        .endMetadata()
                        .build())
                .create();
        client.resource(node().build()).create();
    }

    /** Makes the namespace enforce the Pod Security level {@code restricted}. */
    static void restrict(KubernetesClient client) {
        client.namespaces()
                .withName("team")
                .edit(team -> team.edit()
                        .editMetadata()
                        .addToLabels(PodSecurityCheck.LABEL, "restricted")
                        .endMetadata()
                        .build());
    }

    static NodeBuilder node() {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n")
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addToAllocatable("cpu", new Quantity("4"))
                .endStatus();
    }
}
