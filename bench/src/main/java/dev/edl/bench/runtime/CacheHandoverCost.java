package dev.edl.bench.runtime;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Cost of passing parameters from one processor to the other. The cost is the time in which a thread changes as many
 * floats as the MLP has parameters, after another thread has changed all of them. A training does this at every step.
 * Processors with a shared cache are several times as fast at it as others; a virtual machine may be given either, for
 * seconds or for hours.
 */
final class CacheHandoverCost {
    private static final int FLOATS = 101_770;
    private static final int PASSES = 400;

    private CacheHandoverCost() {}

    /** Measures 400 handovers between two threads, and returns the median of the last 200, in microseconds. */
    static double micros() throws InterruptedException {
        float[] shared = new float[FLOATS];
        AtomicInteger turn = new AtomicInteger();
        double[] micros = new double[PASSES];
        Thread other = new Thread(() -> passes(shared, turn, micros, 1), "handover");
        other.start();
        passes(shared, turn, micros, 0);
        other.join();
        double[] steady = Arrays.copyOfRange(micros, PASSES / 2, PASSES);
        Arrays.sort(steady);
        return steady[steady.length / 2];
    }

    private static void passes(float[] shared, AtomicInteger turn, double[] micros, int parity) {
        for (int pass = parity; pass < PASSES; pass += 2) {
            while (turn.get() != pass) {
                Thread.onSpinWait();
            }
            long began = System.nanoTime();
            add(shared);
            micros[pass] = (System.nanoTime() - began) / 1e3;
            turn.set(pass + 1);
        }
    }

    private static void add(float[] shared) {
        for (int i = 0; i < shared.length; i++) {
            shared[i] += 1;
        }
    }
}
