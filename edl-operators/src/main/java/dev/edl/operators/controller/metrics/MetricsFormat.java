package dev.edl.operators.controller.metrics;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Format of a monitoring system for a controller's metrics. Module {@code edl-prometheus} implements that of
 * Prometheus. {@link #installed} finds it on the class path, so that a program without metrics needs no library for
 * them.
 */
public interface MetricsFormat {
    /** Returns the format on the class path; empty when there is none. */
    static Optional<MetricsFormat> installed() {
        return ServiceLoader.load(MetricsFormat.class).findFirst();
    }

    /** Returns the media type, {@code text/plain; version=0.0.4; charset=utf-8}. */
    String contentType();

    /**
     * Writes the metrics; leaves the stream open.
     *
     * @throws IOException when the stream fails
     */
    void write(ControllerMetrics metrics, OutputStream to) throws IOException;
}
