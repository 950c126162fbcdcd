package dev.edl.runtime.inprocess;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results of one thread that reads a dataset from the first record to the last, without the runtime. */
final class SinglePass {
    private SinglePass() {}

    /** Returns the outputs of all records. */
    static float[] outputs(Model model, float[] parameters, Dataset data) throws IOException {
        int width = model.outputs();
        float[] all = new float[Math.toIntExact(data.records()) * width];
        int row = 0;
        try (Model.Session session = model.open(1)) {
            for (DataShard shard : data.shards()) {
                for (long r = 0; r < shard.records(); r++) {
                    Batch batch = new Batch(1, data.features(), data.labels());
                    data.read(shard.name(), r, r + 1, batch);
                    float[] one = new float[width];
                    session.predict(parameters, batch, one);
                    System.arraycopy(one, 0, all, row++ * width, width);
                }
            }
        }
        return all;
    }

    /**
     * Returns metrics in data order, summed per minibatch within a task and per task within a shard; another order
     * would change the last bits.
     */
    static Map<String, Double> metrics(
            Model model, float[] parameters, Dataset data, int minibatch, int minibatches, List<Metric> metrics)
            throws IOException {
        List<Metric.Partial> totals = new ArrayList<>();
        metrics.forEach(metric -> totals.add(metric.start()));
        try (Model.Session session = model.open(minibatch)) {
            for (DataShard shard : data.shards()) {
                long task = (long) minibatch * minibatches;
                for (long from = 0; from < shard.records(); from += task) {
                    List<Metric.Partial> parts =
                            metrics.stream().map(Metric::start).toList();
                    long end = Math.min(shard.records(), from + task);
                    for (long at = from; at < end; at += minibatch) {
                        Batch batch = new Batch(minibatch, data.features(), data.labels());
                        data.read(shard.name(), at, Math.min(end, at + minibatch), batch);
                        float[] outputs = new float[minibatch * model.outputs()];
                        session.predict(parameters, batch, outputs);
                        parts.forEach(part -> part.add(outputs, model.outputs(), batch));
                    }
                    for (int i = 0; i < metrics.size(); i++) {
                        totals.get(i).merge(parts.get(i));
                    }
                }
            }
        }
        Map<String, Double> values = new LinkedHashMap<>();
        for (int i = 0; i < metrics.size(); i++) {
            values.put(metrics.get(i).name(), totals.get(i).value());
        }
        return values;
    }
}
