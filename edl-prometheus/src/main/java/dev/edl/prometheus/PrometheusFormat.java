package dev.edl.prometheus;

import dev.edl.operators.controller.metrics.ControllerMetricsSnapshot;
import dev.edl.operators.controller.metrics.MetricsFormat;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes a controller's metrics in Prometheus' text format; docs/controller.md lists them. Thread-safe. */
public final class PrometheusFormat implements MetricsFormat {
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

    /** Creates a format; {@link MetricsFormat#installed} calls this constructor. */
    public PrometheusFormat() {}

    @Override
    public String contentType() {
        return writer.getContentType();
    }

    @Override
    public void write(ControllerMetricsSnapshot metrics, OutputStream to) throws IOException {
        List<MetricSnapshot> all = new ArrayList<>();
        all.add(gauge("leader", "Whether this controller drives the jobs: 1 or 0.", metrics.leads() ? 1 : 0));
        all.add(gauge("jobs", "Jobs that the controller drives.", metrics.jobs()));
        all.add(gauge("replicas", "Sum of the maximum replicas of these jobs.", metrics.replicas()));
        all.add(gauge("queue_depth", "Objects waiting for a thread.", metrics.queueDepth()));
        all.add(gauge(
                "queue_oldest_wait_seconds",
                "Longest current wait of an object for a thread.",
                seconds(metrics.oldestWait())));
        all.add(gauge("passes_running", "Reconcile passes in progress, each over one object.", metrics.passes()));
        all.add(gauge(
                "passes_stuck",
                "Reconcile passes running for more than a second because of an unanswered request.",
                metrics.stuckPasses()));
        metrics.lastPass()
                .ifPresent(age -> all.add(gauge("last_pass_age_seconds", "Time since a pass ended.", seconds(age))));
        all.add(watches(metrics.watches()));
        all.add(counts("refusals", "Failed reconcile passes, by cause.", metrics.refusals()));
        all.add(counts(
                "refused_requests",
                "Requests of jobs that were refused or unanswered, by cause.",
                metrics.refusedRequests()));
        writer.write(to, new MetricSnapshots(all));
    }

    private static String name(String end) {
        return "edl_controller_" + end;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static MetricSnapshot gauge(String name, String help, double value) {
        return GaugeSnapshot.builder()
                .name(name(name))
                .help(help)
                .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
                .build();
    }

    private static MetricSnapshot watches(Map<ControllerMetricsSnapshot.Watch, Duration> watches) {
        GaugeSnapshot.Builder ages = GaugeSnapshot.builder()
                .name(name("watch_age_seconds"))
                .help("Time since a watch last received anything from the API server.");
        watches.forEach((watch, age) -> ages.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(Labels.of("resource", watch.resource(), "namespace", watch.namespace()))
                .value(seconds(age))
                .build()));
        return ages.build();
    }

    private static MetricSnapshot counts(String name, String help, Map<String, Long> byCause) {
        CounterSnapshot.Builder counts =
                CounterSnapshot.builder().name(name(name)).help(help);
        byCause.forEach((cause, count) -> counts.dataPoint(CounterDataPointSnapshot.builder()
                .labels(Labels.of("cause", cause))
                .value(count)
                .build()));
        return counts.build();
    }
}
