package dev.edl.runtime.inprocess;

import dev.edl.runtime.model.Batch;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Model that calls a hook with the number of gradients before each gradient of any worker; tests inject faults there.
 */
public final class SteppedModel extends LogisticModel {
    private final AtomicLong steps = new AtomicLong();
    private final CountDownLatch hooked = new CountDownLatch(1);
    private volatile LongConsumer before = step -> {};

    public SteppedModel(int features) {
        super(features);
    }

    /**
     * Sets the hook, called by the worker's thread with 1 for the first gradient of the training. The gradient waits
     * for a hook, because a test may need the run to define it.
     */
    public void before(LongConsumer hook) {
        before = hook;
        hooked.countDown();
    }

    @Override
    public float gradient(float[] parameters, Batch batch, float[] gradient) {
        // The submitting thread checks the model before the training.
        if (Thread.currentThread().getName().contains("-worker-")) {
            Waits.on(hooked);
            before.accept(steps.incrementAndGet());
        }
        return super.gradient(parameters, batch, gradient);
    }
}
