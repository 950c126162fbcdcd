package dev.edl.k8s.preflight;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
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
        server.expect()
                .post()
                .withPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                .andReply(
                        201,
                        request -> new SelfSubjectAccessReviewBuilder()
                                .withNewStatus()
                                .withAllowed(allowed.test(request.getBody().readUtf8()))
                                .endStatus()
                                .build())
                .always();
        server.expect()
                .post()
                .withPath("/apis/authentication.k8s.io/v1/selfsubjectreviews")
                .andReturn(
                        201,
                        new SelfSubjectReviewBuilder()
                                .withNewStatus()
                                .withNewUserInfo()
                                .withUsername("anna")
                                .endUserInfo()
                                .endStatus()
                                .build())
                .always();
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
