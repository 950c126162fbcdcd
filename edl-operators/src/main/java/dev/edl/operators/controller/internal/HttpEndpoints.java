package dev.edl.operators.controller.internal;

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
public final class HttpEndpoints implements AutoCloseable {
    private final List<MetricsServer> servers = new ArrayList<>();

    private HttpEndpoints() {}

    /**
     * Starts the servers for the metrics and probes. One server serves both if their addresses are equal.
     *
     * @param metricsAddress address of the metrics and probes; empty for no metrics
     * @param probeAddress address of the probes; empty for none beyond those at the metrics' address
     * @param metrics supplies the current metrics
     * @param format format in which the metrics are served; empty to serve only probes
     * @throws IOException when an address cannot be bound
     */
    public static HttpEndpoints start(
            Optional<InetSocketAddress> metricsAddress,
            Optional<InetSocketAddress> probeAddress,
            Supplier<ControllerMetricsSnapshot> metrics,
            Optional<MetricsFormat> format)
            throws IOException {
        HttpEndpoints endpoints = new HttpEndpoints();
        try {
            if (metricsAddress.isPresent()) {
                endpoints.servers.add(MetricsServer.start(metricsAddress.get(), metrics, format));
            }
            // The metrics address also serves the probes.
            Optional<InetSocketAddress> probes =
                    probeAddress.filter(address -> !metricsAddress.equals(Optional.of(address)));
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
    public String describe() {
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
