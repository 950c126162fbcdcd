package dev.edl.bench.runtime;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.runtime.Training;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/**
 * Counts garbage collections in 10,000 steady steps. {@code gc.MODEL} is the share of the 100 intervals, of 100 steps
 * each, that had no collection; 1 if there was none at all.
 *
 * <p>The steps are those of a whole asynchronous training by two workers and two parameter servers in this JVM, batch
 * 64, after 2,000 warm-up steps. Collections are counted by {@link GarbageCollectorMXBean}, with the JVM's default
 * collector and heap size. One round is enough, because the figure is a count. The printed conditions contain the bytes
 * that the workers allocate per step.
 */
public final class GarbageCollectionCount implements Measurement {
    private static final int BATCH = 64;
    private static final int STRETCHES = 100;
    private static final int RECORDS = 8192;

    private final BenchmarkModel model;
    private final Figure figure;

    public GarbageCollectionCount(BenchmarkModel model) {
        this.model = model;
        figure = new Figure("gc." + model.name(), 1, "share of 10,000 steady steps in stretches without a collection");
    }

    @Override
    public List<Figure> figures() {
        return List.of(figure);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws Exception {
        int stretch = settings.either(100, 2);
        CountedModel counted = new CountedModel(model.model());
        Training training = BenchmarkTrainings.of(
                        counted, model.data(settings.either(RECORDS, 1024), 256), BATCH, 1_000_000)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(BenchmarkTrainings.job("bench-gc", 2, 2))) {
            long start = settings.either(2000, 20);
            BenchmarkTrainings.await("step " + start + " of " + run, () -> counted.steps() >= start);
            long collections = collections();
            long all = 0;
            long bytes = allocated(counted);
            long from = counted.steps();
            int without = 0;
            for (int i = 1; i <= STRETCHES; i++) {
                long end = from + (long) i * stretch;
                BenchmarkTrainings.await("step " + end + " of " + run, () -> counted.steps() >= end);
                long now = collections();
                without += now == collections ? 1 : 0;
                all += now - collections;
                collections = now;
            }
            double each = (double) (allocated(counted) - bytes) / (counted.steps() - from);
            return new RoundRatios()
                    .add(figure, without / (double) STRETCHES)
                    .note(figure, all + " collections in " + STRETCHES * stretch + " steps")
                    .note(figure, String.format(Locale.ROOT, "workers allocate %.0f bytes a step", each));
        }
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    /** Returns the bytes that the threads of all workers have allocated so far. */
    private static long allocated(CountedModel model) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        return model.sessions().stream()
                .map(CountedModel.CountedSession::thread)
                .filter(thread -> thread.getName().contains("worker"))
                .mapToLong(thread -> Math.max(0, threads.getThreadAllocatedBytes(thread.getId())))
                .sum();
    }
}
