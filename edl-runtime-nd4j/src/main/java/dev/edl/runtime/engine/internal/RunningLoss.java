package dev.edl.runtime.engine.internal;

import java.util.concurrent.atomic.AtomicLong;

/** Exponential moving average of the losses of all workers; the newest loss has weight 0.05. Thread-safe. */
public final class RunningLoss {
    private static final double WEIGHT = 0.05;

    private final AtomicLong bits = new AtomicLong(Double.doubleToRawLongBits(Double.NaN));

    public void add(float loss) {
        bits.updateAndGet(old -> {
            double average = Double.longBitsToDouble(old);
            return Double.doubleToRawLongBits(Double.isNaN(average) ? loss : average + WEIGHT * (loss - average));
        });
    }

    /** Returns the average; NaN before the first loss. */
    public double value() {
        return Double.longBitsToDouble(bits.get());
    }
}
