package dev.edl.k8s.internal.exec;

import dev.edl.k8s.client.SelfAccessReview;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import java.net.HttpURLConnection;

/** Explains why a web socket to a pod does not open. */
final class WebSocketFailure {
    private WebSocketFailure() {}

    /**
     * Returns the reason in words: the API server's answer if there is one, and the command that grants a missing
     * permission.
     *
     * @param resource the subresource of pods: {@code pods/exec}
     */
    static String describe(KubernetesClient client, Pod pod, String resource, Throwable why) {
        for (Throwable cause = why; cause != null; cause = cause.getCause()) {
            if (cause instanceof WebSocketHandshakeException answer) {
                int code = answer.getResponse().code();
                String words = "the API server answers " + code;
                return code == HttpURLConnection.HTTP_FORBIDDEN
                        ? SelfAccessReview.withExecGrantCommand(
                                client, words, pod.getMetadata().getNamespace(), resource)
                        : words;
            }
        }
        return why.getMessage() == null ? why.toString() : why.getMessage();
    }
}
