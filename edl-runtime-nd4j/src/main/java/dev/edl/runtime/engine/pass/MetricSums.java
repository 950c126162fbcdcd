package dev.edl.runtime.engine.pass;

import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.task.Task;
import java.util.List;

/** Sums of metrics over the records of one task. */
public final class MetricSums implements PartialTaskResult {
    private final List<Metric.Partial> partials;

    /** Creates sums over no records. */
    public MetricSums(List<Metric> metrics) {
        this.partials = metrics.stream().map(Metric::start).toList();
    }

    @Override
    public void add(float[] outputs, int width, Batch batch) {
        partials.forEach(partial -> partial.add(outputs, width, batch));
    }

    @Override
    public void report(MasterPort master, Task task) {
        master.evaluated(task, partials.stream().map(Metric.Partial::sums).toArray(double[][]::new));
    }
}
