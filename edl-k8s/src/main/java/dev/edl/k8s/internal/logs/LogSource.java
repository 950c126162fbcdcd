package dev.edl.k8s.internal.logs;

import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.internal.pods.MainContainer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Opens the logs of containers. fabric8's own log watch returns an error's body as the log, and first waits for a ready
 * pod, which an ended one never is.
 */
public final class LogSource {
    private static final int MESSAGE_BYTES = 4096;
    private static final long ANSWER_SECONDS = 60;

    private final KubernetesClient client;

    public LogSource(KubernetesClient client) {
        this.client = client;
    }

    /** Thrown when the API server refuses the log, with its status. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        final int code;

        RefusedException(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    /**
     * Follows the log of a pod's main container until the log ends. Each line begins with its time.
     *
     * @param since time from which lines are returned, to the second; empty for the whole log
     * @param tail number of the log's last lines with which it begins; empty for all
     */
    InputStream follow(Pod pod, Optional<Instant> since, OptionalInt tail) throws IOException {
        return open(
                pod,
                "follow=true&timestamps=true"
                        + since.map(time -> "&sinceTime=" + time).orElse("")
                        + (tail.isPresent() ? "&tailLines=" + tail.getAsInt() : ""));
    }

    /** Returns the last lines of the current log of a pod's main container. Each line begins with its time. */
    InputStream last(Pod pod, int lines) throws IOException {
        return open(pod, "timestamps=true&tailLines=" + lines);
    }

    /** Returns the message in the body of an error answer, which is a Status unless a proxy sent it. */
    private static String message(String body) {
        try {
            String message = Serialization.unmarshal(body, Status.class).getMessage();
            return message == null ? body : message;
        } catch (RuntimeException e) {
            return body;
        }
    }

    private InputStream open(Pod pod, String query) throws IOException {
        String name = pod.getMetadata().getName();
        HttpRequest request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(client.getMasterUrl() + "api/v1/namespaces/"
                        + pod.getMetadata().getNamespace() + "/pods/" + name + "/log?container="
                        + MainContainer.name(pod) + "&" + query)
                .build();
        CompletableFuture<HttpResponse<InputStream>> answer =
                client.getHttpClient().sendAsync(request, InputStream.class);
        try {
            HttpResponse<InputStream> response = answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (response.isSuccessful()) {
                return response.body();
            }
            try (InputStream body = response.body()) {
                throw new RefusedException(
                        response.code(),
                        MissingPermission.withGrantCommand(
                                "the log of pod " + name + " cannot be read: " + response.code() + " "
                                        + message(new String(body.readNBytes(MESSAGE_BYTES), StandardCharsets.UTF_8))));
            }
        } catch (ExecutionException e) {
            throw new IOException("the log of pod " + name + " cannot be read: " + e.getCause(), e);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException(
                    "the log of pod " + name + " cannot be read: no answer in " + ANSWER_SECONDS + " s", e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the log of pod " + name + " is not read: interrupted");
        }
    }
}
