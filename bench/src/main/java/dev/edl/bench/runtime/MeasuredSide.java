package dev.edl.bench.runtime;

import dev.edl.bench.harness.Gate;
import dev.edl.bench.harness.Settings;
import dev.edl.runtime.Model;

/** One side of a comparison of steps: its model, and the gate that holds its steps outside of its turn. */
final class MeasuredSide {
    private final Gate gate = new Gate(Trainings.BOUND);
    private final CountedModel model;

    MeasuredSide(Model model) {
        this.model = new CountedModel(model, gate);
    }

    CountedModel model() {
        return model;
    }

    /**
     * Runs beyond a number of steps and some time more, in which memory is touched for the first time, and then holds
     * it.
     */
    void warm(String what, long steps, Settings settings) throws Exception {
        Trainings.await("the first steps of " + what, () -> model.steps() > steps);
        Thread.sleep(settings.either(1000, 50));
        gate.close();
    }

    /** Returns the steps in a second of a turn. */
    double rate(Settings settings) throws InterruptedException {
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

    /** Releases its threads; a held thread cannot notice that it is to end. */
    void open() {
        gate.open();
    }
}
