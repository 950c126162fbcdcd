package dev.edl.bench;

import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Steps in a second of two workers that only compute, each in a thread with a session of its own, over those of one: by
 * JMH, {@link WorkerStep#hand} with two threads and with one in every round. {@code MODEL.BATCH.two}.
 */
final class TwoWorkers implements Measurement {
    private final ModelCase model;
    private final int batch;
    private final Figure figure;

    TwoWorkers(ModelCase model, int batch) {
        this.model = model;
        this.batch = batch;
        figure = new Figure(model.name() + "." + batch + ".two", 1.95, "steps of two workers over one's, compute only");
    }

    @Override
    public List<Figure> figures() {
        return List.of(figure);
    }

    @Override
    public Rounds measure(Settings settings) throws RunnerException {
        Map<String, String> parameters = Map.of("model", model.name(), "batch", "" + batch);
        Rounds rounds = new Rounds();
        for (int i = 0; i < settings.rounds(); i++) {
            double one = JmhTime.nanos(WorkerStep.class, "hand", 1, parameters, settings);
            double two = JmhTime.nanos(WorkerStep.class, "hand", 2, parameters, settings);
            rounds.add(figure, 2 * one / two)
                    .side(figure, "a step of one %.0f us", one / 1e3)
                    .side(figure, "of each of two %.0f us", two / 1e3);
        }
        return rounds;
    }
}
