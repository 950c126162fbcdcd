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
    /**
     * Verbs that a web socket to a pod needs: Kubernetes before 1.35 authorizes the web socket's GET request as
     * {@code get}, later versions also as {@code create}.
     */
    public static final List<String> WEB_SOCKET = List.of("get", "create");

    private SelfAccessReview() {}

    /**
     * Returns whether the client has a permission; true also if the API server's answer has no status.
     *
     * @param resource plural name of the resource, with its subresource if any, such as {@code pods/log}
     * @param name name of the only object that the permission covers; null for all objects
     * @param namespace namespace of the objects; null for the whole cluster
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
     * Returns the message of a refused web socket to a pod, with the command that grants the missing permissions.
     *
     * <p>fabric8 drops the server's message for a refused web socket, so this method requests an access review. If no
     * permission is missing, for example after an admission policy's refusal, the message is unchanged.
     *
     * @param resource a subresource of pods: {@code pods/exec}
     */
    public static String withExecGrantCommand(
            KubernetesClient client, String message, String namespace, String resource) {
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
