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

/** Requests the user name and permissions of a client from the API server, which every client may do. */
public final class SelfAccessReview {
    /** Verbs for a web socket of a pod: clusters before 1.35 authorize its GET as get, later ones also as create. */
    public static final List<String> WEB_SOCKET = List.of("get", "create");

    private SelfAccessReview() {}

    /**
     * Returns whether the client has one permission.
     *
     * @param resource the plural, with its subresource if any: {@code pods/log}
     * @param name of the only object that it covers; null for all
     * @param namespace of the objects; null for the whole cluster
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
        // Without an answer, the request does not count as forbidden.
        return answer.getStatus() == null
                || Boolean.TRUE.equals(answer.getStatus().getAllowed());
    }

    /** Returns the client's user name as the API server reports it. */
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
     * Returns a message with the command that grants the missing permissions of a pod's web socket.
     *
     * <p>fabric8 drops the server's message for a refused web socket, so this sends a review. If no permission is
     * missing, for example after an admission policy's refusal, the message is unchanged.
     *
     * @param resource a subresource of pods: {@code pods/exec}
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
            // The refusal itself is still reported.
            return message;
        }
    }
}
