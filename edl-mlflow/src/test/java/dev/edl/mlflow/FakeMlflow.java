package dev.edl.mlflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** MLflow's REST interface on the loopback address, with one run "r1", and the warnings of the client. */
final class FakeMlflow implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    static final Answer NO_EXPERIMENT = new Answer(404, "{\"error_code\":\"RESOURCE_DOES_NOT_EXIST\"}");

    /** Answer to a request. */
    record Answer(int status, String body) {}

    /** Request with the text of its body. */
    record Request(String method, String authorization, String body) {
        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger("dev.edl.mlflow");
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            if (entry.getLevel().intValue() >= java.util.logging.Level.WARNING.intValue()) {
                warnings.add(entry.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    /** Address of the run's artefacts. */
    volatile String artifacts = "mlflow-artifacts:/7/r1/artifacts";
    /** Changes the answer to a request; the argument is its method, for example {@code runs/create}. */
    volatile java.util.function.BiFunction<Request, Answer, Answer> change = (request, answer) -> answer;

    /** Method whose first answer has a beginning alone; empty for none. */
    volatile String endless = "";
    /** Header Location of the answers; empty for none. */
    volatile String redirection = "";

    FakeMlflow() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        String method =
                exchange.getRequestMethod().equals("PUT") ? "PUT " + path : path.replace("/api/2.0/mlflow/", "");
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        Request request = new Request(
                method,
                header == null ? "" : header,
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
        requests.add(request);
        Answer answer = change.apply(request, new Answer(200, normal(method)));
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        if (!redirection.isEmpty()) {
            exchange.getResponseHeaders().set("Location", redirection);
        }
        if (method.equals(endless)) {
            endless = "";
            exchange.sendResponseHeaders(answer.status(), body.length + 1);
            exchange.getResponseBody().write(body);
            exchange.getResponseBody().flush();
            return;
        }
        exchange.sendResponseHeaders(answer.status(), body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private String normal(String method) {
        String info = "{\"run_id\":\"r1\",\"artifact_uri\":\"" + artifacts + "\"}";
        if (method.startsWith("experiments/get-by-name")) {
            return "{\"experiment\":{\"experiment_id\":\"7\"}}";
        }
        return switch (method) {
            case "experiments/create" -> "{\"experiment_id\":\"7\"}";
            case "runs/create" -> "{\"run\":{\"info\":" + info + "}}";
            case "runs/search" -> "{}";
            case "runs/update" -> "{\"run_info\":" + info + "}";
            default -> "{}";
        };
    }

    /** Returns the requests' methods, in order. */
    List<String> methods() {
        return requests.stream().map(Request::method).toList();
    }

    /** Returns the bodies of the requests of one method, in order. */
    List<JsonNode> bodies(String method) {
        return requests.stream()
                .filter(request -> request.method().equals(method))
                .map(Request::json)
                .toList();
    }

    List<Request> requests() {
        return requests;
    }

    /** Returns all values of a field of all batches, in order. */
    List<JsonNode> sent(String field) {
        List<JsonNode> all = new ArrayList<>();
        bodies("runs/log-batch").forEach(body -> body.path(field).forEach(all::add));
        return all;
    }

    /** Returns the warnings, with this server's address as SERVER. */
    List<String> warnings() {
        UnaryOperator<String> plain = text -> text.replace(address().toString(), "SERVER");
        return warnings.stream().map(plain).toList();
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
        server.stop(0);
        threads.shutdownNow();
    }
}
