package dev.edl.mlflow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Sends single requests to an MLflow server. No message has a credential. */
final class MlflowClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_TEXT = 300;

    private final HttpClient http;
    private final String server;
    private final Supplier<String> authorization;
    private final Duration timeout;

    /**
     * Creates a client.
     *
     * @param server address without user and query, with or without a slash at the end
     * @param authorization returns the header {@code Authorization} of the next request; empty for none
     * @param timeout longest duration of a request
     */
    MlflowClient(URI server, Supplier<String> authorization, Duration timeout) {
        this.server = server.toString().replaceAll("/+$", "");
        this.authorization = authorization;
        this.timeout = timeout;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
    }

    /** An answer of the server that a repetition of the request would not change. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        private final String code;

        private RefusedException(String message, String code) {
            super(message);
            this.code = code;
        }

        /** Returns whether MLflow's code of the error is the given one. */
        boolean is(String expected) {
            return code.equals(expected);
        }
    }

    /** Returns the answer to a GET request of MLflow's interface. */
    JsonNode get(String method, String parameter, String value) throws IOException, InterruptedException {
        String query = "?" + parameter + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
        return send(method, "/api/2.0/mlflow/" + method + query, "GET", BodyPublishers.noBody());
    }

    /** Returns the answer to a POST request of MLflow's interface. */
    JsonNode post(String method, Map<String, ?> body) throws IOException, InterruptedException {
        return send(
                method,
                "/api/2.0/mlflow/" + method,
                "POST",
                BodyPublishers.ofByteArray(JSON.writeValueAsBytes(JSON.valueToTree(body))));
    }

    /**
     * Uploads a file through the server.
     *
     * @param path path of the artefact below the server's root of artefacts
     */
    void upload(String path, Path file) throws IOException, InterruptedException {
        StringBuilder encoded = new StringBuilder("/api/2.0/mlflow-artifacts/artifacts");
        for (String part : path.split("/+")) {
            if (!part.isEmpty()) {
                encoded.append('/')
                        .append(URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"));
            }
        }
        send("mlflow-artifacts", encoded.toString(), "PUT", BodyPublishers.ofFile(file));
    }

    private JsonNode send(String what, String path, String verb, BodyPublisher body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path))
                .timeout(timeout)
                .method(verb, body)
                .header("Content-Type", verb.equals("POST") ? "application/json" : "application/octet-stream");
        String header;
        try {
            header = authorization.get();
            if (!header.isEmpty()) {
                request.header("Authorization", header);
            }
        } catch (RuntimeException e) {
            // The exception's message may have the credential.
            throw new IOException(what + ": the header Authorization cannot be set: "
                    + e.getClass().getName());
        }
        HttpResponse<String> response = received(what, request.build());
        int status = response.statusCode();
        JsonNode answer = json(response.body());
        if (status == 200) {
            return answer;
        }
        String text = response.headers()
                .firstValue("Location")
                .map(address -> "redirects to " + address)
                .orElse(answer.path("message").asText(response.body()));
        String message = what + ": status " + status + ", \"" + shortened(withoutSecret(text, header)) + "\"";
        if (status >= 500 || status == 408 || status == 429) {
            throw new IOException(message);
        }
        throw new RefusedException(message, answer.path("error_code").asText(""));
    }

    /** Returns the answer with its whole text; the timeout of the request itself ends at the answer's first byte. */
    private HttpResponse<String> received(String what, HttpRequest request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> answer = http.sendAsync(request, BodyHandlers.ofString());
        Throwable cause;
        try {
            return answer.get(timeout.toMillis() + 1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            cause = new HttpTimeoutException("no complete answer in " + timeout);
        } catch (ExecutionException e) {
            cause = Objects.requireNonNullElse(e.getCause(), e);
        } finally {
            answer.cancel(true);
        }
        String text = cause.getMessage();
        throw new IOException(what + ": " + (text == null ? cause.getClass().getName() : text), cause);
    }

    private static JsonNode json(String body) {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    private static String withoutSecret(String text, String header) {
        String credential = header.substring(header.indexOf(' ') + 1);
        return credential.isEmpty() ? text : text.replace(credential, "***");
    }

    private static String shortened(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= MOST_TEXT ? line : line.substring(0, MOST_TEXT) + "…";
    }

    /** Returns the server's address. */
    @Override
    public String toString() {
        return server;
    }
}
