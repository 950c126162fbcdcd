package dev.edl.operators.controller.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * HTTP server of a controller's metrics and probes: {@code /metrics} for a monitoring system, {@code /livez} and
 * {@code /readyz} for a pod's probes, which return 200 or 503. It has no encryption and no authentication: bind it
 * where only trusted clients reach it.
 *
 * <pre>{@code
 * InetSocketAddress loopback = new InetSocketAddress("127.0.0.1", 8080);
 * MetricsServer server = MetricsServer.start(loopback, controller::metrics, MetricsFormat.installed());
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class MetricsServer implements AutoCloseable {
    private static final String PLAIN = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads;
    private final Supplier<ControllerMetricsSnapshot> metrics;

    private MetricsServer(HttpServer server, ExecutorService threads, Supplier<ControllerMetricsSnapshot> metrics) {
        this.server = server;
        this.threads = threads;
        this.metrics = metrics;
    }

    /**
     * Starts the server.
     *
     * @param at address to listen on; port 0 for any free port
     * @param metrics supplies the current metrics; called for each request
     * @param format format of {@code /metrics}; empty to serve only the probes
     * @throws IOException when the address cannot be bound
     */
    public static MetricsServer start(
            InetSocketAddress at, Supplier<ControllerMetricsSnapshot> metrics, Optional<MetricsFormat> format)
            throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(2, task -> {
            Thread thread = new Thread(task, "edl-controller-http");
            thread.setDaemon(true);
            return thread;
        });
        MetricsServer started = new MetricsServer(HttpServer.create(at, 0), threads, metrics);
        started.server.setExecutor(threads);
        started.server.createContext("/livez", call -> started.probe(call, ControllerMetricsSnapshot::live));
        started.server.createContext("/readyz", call -> started.probe(call, ControllerMetricsSnapshot::ready));
        format.ifPresent(one -> started.server.createContext("/metrics", call -> started.metrics(call, one)));
        started.server.start();
        return started;
    }

    /** Returns the address on which the server listens, with the actual port. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private interface Check {
        boolean holds(ControllerMetricsSnapshot metrics);
    }

    private void probe(HttpExchange call, Check check) throws IOException {
        ControllerMetricsSnapshot now = metrics.get();
        boolean holds = check.holds(now);
        String text = holds
                ? "ok\n"
                : "no: " + now.queueDepth() + " objects wait for a thread, the oldest for "
                        + now.oldestWait().toSeconds() + " s; all objects are listed: " + now.ready() + "\n";
        answer(call, holds ? 200 : 503, PLAIN, text.getBytes(StandardCharsets.UTF_8));
    }

    private void metrics(HttpExchange call, MetricsFormat format) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        format.write(metrics.get(), bytes);
        answer(call, 200, format.contentType(), bytes.toByteArray());
    }

    private static void answer(HttpExchange call, int code, String type, byte[] body) throws IOException {
        try (call) {
            boolean read = call.getRequestMethod().equals("GET");
            call.getResponseHeaders().set("Content-Type", type);
            call.sendResponseHeaders(read ? code : 405, read ? body.length : -1);
            if (read) {
                call.getResponseBody().write(body);
            }
        }
    }

    /** Stops listening and closes open connections. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
