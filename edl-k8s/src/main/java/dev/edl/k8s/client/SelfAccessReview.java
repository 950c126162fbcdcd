package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributesBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the API server for the name and rights of a client, which every client may do. */
public final class SelfAccessReview {
    /** What a web socket of a pod takes: clusters before 1.35 authorize its GET as get, later ones as create too. */
    public static final List<String> WEB_SOCKET = List.of("get", "create");

    private SelfAccessReview() {}

    /**
     * Asks for one right.
     *
     * @param resource the plural, with its part where there is one: {@code pods/log}
     * @param name of the only object that it is of; null for all
     * @param namespace where; null for the whole cluster
     */
    public static boolean allow(
            KubernetesClient client,
            String group,
            String resource,
            @Nullable String name,
            String verb,
            @Nullable String namespace) {
        String[] parts = resource.split("/", 2);
        SelfSubjectAccessReview answer = client.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withResourceAttributes(new ResourceAttributesBuilder()
                                .withGroup(group)
                                .withResource(parts[0])
                                .withSubresource(parts.length > 1 ? parts[1] : null)
                                .withName(name)
                                .withVerb(verb)
                                .withNamespace(namespace)
                                .build())
                        .endSpec()
                        .build());
        // Who gets no answer is not known to be forbidden.
        return answer.getStatus() == null
                || Boolean.TRUE.equals(answer.getStatus().getAllowed());
    }

    /** Returns who the client is, as the API server sees it. */
    public static String user(KubernetesClient client) {
        return client.authentication()
                .v1()
                .selfSubjectReviews()
                .create(new SelfSubjectReviewBuilder().build())
                .getStatus()
                .getUserInfo()
                .getUsername();
    }

    /**
     * Returns a message, and behind it the command that grants what a web socket of a pod lacks. Of a refused web socket fabric8 drops
     * the server's words, so the server is asked. The message stays as it is when no right is lacking, as where an admission
     * policy refuses.
     *
     * @param resource a part of pods: {@code pods/exec}
     */
    public static String toldOfWebSocket(KubernetesClient client, String message, String namespace, String resource) {
        try {
            List<String> missing = WEB_SOCKET.stream()
                    .filter(verb -> !allow(client, "", resource, null, verb, namespace))
                    .toList();
            return missing.isEmpty()
                    ? message
                    : message
                            + MissingPermission.granting(new MissingPermission(
                                            user(client),
                                            missing.get(0),
                                            "",
                                            resource,
                                            List.of(),
                                            Optional.of(namespace))
                                    .command(missing));
        } catch (KubernetesClientException e) {
            // The refusal itself is told all the same.
            return message;
        }
    }
}
