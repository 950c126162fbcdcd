package dev.edl.bench.runtime;

import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.ThreadGate;
import dev.edl.runtime.model.Model;

/** One side of a comparison of step rates: its model, and the gate that holds its threads outside of its turn. */
final class ComparisonSide {
    private final ThreadGate gate = new ThreadGate(BenchmarkTrainings.BOUND);
    private final CountedModel model;

    ComparisonSide(Model model) {
        this.model = new CountedModel(model, gate);
    }

    CountedModel model() {
        return model;
    }

    /**
     * Waits until this side has made more than {@code steps} steps, and a second more, in which it touches its memory
     * for the first time; then holds its threads.
     *
     * @param what description of the side for the message when the wait fails
     */
    void warm(String what, long steps, MeasurementSettings settings) throws Exception {
        BenchmarkTrainings.await("the first steps of " + what, () -> model.steps() > steps);
        Thread.sleep(settings.either(1000, 50));
        gate.close();
    }

    /**
     * Lets this side run for one turn: a tenth of a second to fill the caches, and half a second in which its steps
     * count. Returns these per second.
     */
    double rate(MeasurementSettings settings) throws InterruptedException {
        gate.open();
        Thread.sleep(settings.either(100, 10));
        long before = model.steps();
        long began = System.nanoTime();
        Thread.sleep(settings.either(500, 50));
        long after = model.steps();
        double seconds = (System.nanoTime() - began) / 1e9;
        gate.close();
        return Math.max(1, after - before) / seconds;
    }

    /** Releases the threads of this side for good: a held thread could not notice that it is to end. */
    void open() {
        gate.open();
    }
}
