package dev.edl.operators.controller;

import dev.edl.operators.controller.metrics.ControllerMetricsSnapshot;
import dev.edl.operators.controller.metrics.MetricsFormat;
import dev.edl.operators.controller.metrics.MetricsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** HTTP servers of a controller process, one for each distinct address in its options. */
final class HttpEndpoints implements AutoCloseable {
    private final List<MetricsServer> servers = new ArrayList<>();

    private HttpEndpoints() {}

    /**
     * Starts the servers for the metrics and probes. One server serves both if their addresses are equal.
     *
     * @param options options with the addresses
     * @param metrics supplies the current metrics
     * @param format format in which the metrics are served; empty to serve only probes
     * @throws IOException when an address cannot be bound
     */
    static HttpEndpoints start(
            MainOptions options, Supplier<ControllerMetricsSnapshot> metrics, Optional<MetricsFormat> format)
            throws IOException {
        HttpEndpoints endpoints = new HttpEndpoints();
        try {
            if (options.metrics().isPresent()) {
                endpoints.servers.add(MetricsServer.start(options.metrics().get(), metrics, format));
            }
            // The metrics address also serves the probes.
            Optional<InetSocketAddress> probes =
                    options.probes().filter(address -> !options.metrics().equals(Optional.of(address)));
            if (probes.isPresent()) {
                endpoints.servers.add(MetricsServer.start(probes.get(), metrics, Optional.empty()));
            }
            return endpoints;
        } catch (IOException e) {
            endpoints.close();
            throw new IOException(
                    "the controller cannot serve at the address of --metrics-bind-address or"
                            + " --health-probe-bind-address: " + e.getMessage(),
                    e);
        }
    }

    /** Returns the end of a log line, such as {@code , serves at /127.0.0.1:8080}; empty without servers. */
    String words() {
        return servers.isEmpty()
                ? ""
                : servers.stream()
                        .map(server -> server.address().toString())
                        .collect(Collectors.joining(" and ", ", serves at ", ""));
    }

    @Override
    public void close() {
        servers.forEach(MetricsServer::close);
    }
}
