package dev.edl.runtime.micrometer;

import dev.edl.runtime.Progress;
import dev.edl.runtime.TrainingEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Listener that registers the figures of one training, evaluation or prediction in a program's Micrometer registry, and
 * updates them by its events. The events arrive on a thread of their own, so a slow registry delays no training.
 *
 * <pre>{@code
 * try (TrainingMeters meters = TrainingMeters.of(registry, Tags.of("job", "mnist"));
 *      ProcessRun run = executor.submit(job)) {      // or a run in this JVM, or a MasterLog of pods
 *   run.onTraining(meters);
 *   run.await(limit);
 * }
 * }</pre>
 *
 * <table>
 * <caption>Meters; a value is NaN until the first event that has it</caption>
 * <tr><th>name</th><th>type, unit</th><th>value</th></tr>
 * <tr><td>{@code edl.training.records}</td><td>gauge, records</td><td>{@link Progress#recordsDone}</td></tr>
 * <tr><td>{@code edl.training.records.total}</td><td>gauge, records</td><td>{@link Progress#records}</td></tr>
 * <tr><td>{@code edl.training.throughput}</td><td>gauge, records a second</td><td>{@link Progress#recordsPerSecond}</td></tr>
 * <tr><td>{@code edl.training.version}</td><td>gauge</td><td>{@link Progress#step}</td></tr>
 * <tr><td>{@code edl.training.epoch}</td><td>gauge</td><td>{@link Progress#epoch}, counted from 0</td></tr>
 * <tr><td>{@code edl.training.loss}</td><td>gauge</td><td>{@link Progress#loss}</td></tr>
 * <tr><td>{@code edl.training.elapsed}</td><td>gauge, seconds</td><td>{@link Progress#elapsed}</td></tr>
 * <tr><td>{@code edl.training.evaluation}</td><td>gauge, tag {@code metric}</td><td>the newest evaluation</td></tr>
 * <tr><td>{@code edl.training.replicas.absent}</td><td>gauge</td><td>replicas that are absent now</td></tr>
 * <tr><td>{@code edl.training.tasks.recovered}</td><td>counter, tasks</td><td>tasks taken back from lost workers</td></tr>
 * <tr><td>{@code edl.training.checkpoints}</td><td>counter</td><td>written checkpoints</td></tr>
 * <tr><td>{@code edl.training.restarts}</td><td>counter</td><td>restarts from scratch</td></tr>
 * </table>
 */
public final class TrainingMeters implements Consumer<TrainingEvent>, AutoCloseable {
    private static final String PREFIX = "edl.training.";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Collection<Meter> meters = new ConcurrentLinkedQueue<>();
    private final Map<String, Double> values = new ConcurrentHashMap<>();
    private final Set<String> absent = new HashSet<>();
    private final Counter recovered;
    private final Counter checkpoints;
    private final Counter restarts;

    private TrainingMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        gauge("records", "records", "Records completed, over all epochs.");
        gauge("records.total", "records", "Records in all epochs.");
        gauge("throughput", "records/s", "Records completed per second in this run.");
        gauge("version", "updates", "Version of the model.");
        gauge("epoch", "epochs", "Lowest epoch that is not complete, counted from 0.");
        gauge("loss", "", "Exponential average of the workers' losses.");
        gauge("elapsed", "seconds", "Time since the run began.");
        gauge("replicas.absent", "replicas", "Replicas that are absent now.");
        values.put("replicas.absent", 0.0);
        this.recovered = counter("tasks.recovered", "tasks", "Tasks taken back from lost workers.");
        this.checkpoints = counter("checkpoints", "checkpoints", "Written checkpoints.");
        this.restarts = counter(
                "restarts", "restarts", "Restarts from scratch, without any shard or checkpoint of an earlier master.");
    }

    /**
     * Registers the meters of a run.
     *
     * @param tags distinguish the run from others in the registry, for example by the job's name. A second run with the
     *     same tags shows the values of the first one until that is closed
     */
    public static TrainingMeters of(MeterRegistry registry, Iterable<Tag> tags) {
        return new TrainingMeters(registry, Tags.of(tags));
    }

    private void gauge(String name, String unit, String description, Tag... more) {
        String key = more.length == 0 ? name : name + more[0].getValue();
        ToDoubleFunction<Map<String, Double>> value = now -> now.getOrDefault(key, Double.NaN);
        meters.add(Gauge.builder(PREFIX + name, values, value)
                .tags(tags.and(more))
                .baseUnit(unit.isEmpty() ? null : unit)
                .description(description)
                .strongReference(true)
                .register(registry));
    }

    private Counter counter(String name, String unit, String description) {
        Counter counter = Counter.builder(PREFIX + name)
                .tags(tags)
                .baseUnit(unit)
                .description(description)
                .register(registry);
        meters.add(counter);
        return counter;
    }

    /** Updates the meters; called by one thread at a time. */
    @Override
    public void accept(TrainingEvent event) {
        if (event instanceof TrainingEvent.Progressed progressed) {
            progressed(progressed.progress());
        } else if (event instanceof TrainingEvent.Evaluation evaluation) {
            evaluation.metrics().forEach(this::evaluated);
        } else if (event instanceof TrainingEvent.TasksRecovered tasks) {
            recovered.increment(tasks.tasks());
        } else if (event instanceof TrainingEvent.CheckpointWritten) {
            checkpoints.increment();
        } else if (event instanceof TrainingEvent.BegunAnew) {
            restarts.increment();
        } else if (event instanceof TrainingEvent.ReplicaAbsent replica) {
            absent.add(replica.replica());
            values.put("replicas.absent", (double) absent.size());
        } else if (event instanceof TrainingEvent.ReplicaReturned replica) {
            absent.remove(replica.replica());
            values.put("replicas.absent", (double) absent.size());
        }
    }

    private void progressed(Progress progress) {
        Duration elapsed = progress.elapsed();
        values.put("records", (double) progress.recordsDone());
        values.put("records.total", (double) progress.records());
        values.put("throughput", progress.recordsPerSecond());
        values.put("version", (double) progress.step());
        values.put("epoch", (double) progress.epoch());
        values.put("loss", progress.loss());
        values.put("elapsed", elapsed.toNanos() / 1e9);
    }

    private void evaluated(String metric, double value) {
        if (values.put("evaluation" + metric, value) == null) {
            gauge("evaluation", "", "Metric of the newest evaluation.", Tag.of("metric", metric));
        }
    }

    /** Removes the meters from the registry. */
    @Override
    public void close() {
        meters.forEach(registry::remove);
    }

    /** Returns text for people, for example {@code meters edl.training.* of [tag(job=mnist)]}. */
    @Override
    public String toString() {
        return "meters " + PREFIX + "* of " + tags;
    }
}
