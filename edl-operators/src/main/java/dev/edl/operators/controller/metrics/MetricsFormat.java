package dev.edl.operators.controller.metrics;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Format in which a controller's metrics are served to a monitoring system. Module {@code edl-prometheus} implements
 * the format of Prometheus. {@link #installed} finds an implementation on the class path, so that a program without
 * metrics needs no metrics library.
 */
public interface MetricsFormat {
    /** Returns the format on the class path; empty when there is none. */
    static Optional<MetricsFormat> installed() {
        return ServiceLoader.load(MetricsFormat.class).findFirst();
    }

    /** Returns the media type of the format, such as {@code text/plain; version=0.0.4; charset=utf-8}. */
    String contentType();

    /**
     * Writes the metrics to a stream, and leaves the stream open.
     *
     * @throws IOException when the stream fails
     */
    void write(ControllerMetricsSnapshot metrics, OutputStream to) throws IOException;
}
