package dev.edl.runtime.inprocess;

import dev.edl.runtime.Batch;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** A model that tells, before each gradient of any worker, how many have been asked for; what tests hang faults on. */
public final class SteppedModel extends LogisticModel {
    private final AtomicLong steps = new AtomicLong();
    private final CountDownLatch hooked = new CountDownLatch(1);
    private volatile LongConsumer before = step -> {};

    public SteppedModel(int features) {
        super(features);
    }

    /**
     * Called by the worker's thread with 1 for the first gradient of the training, which waits until there is a hook: a
     * test may need the run before it can say what the hook does.
     */
    public void before(LongConsumer hook) {
        before = hook;
        hooked.countDown();
    }

    @Override
    public float gradient(float[] parameters, Batch batch, float[] gradient) {
        // The thread that submits tries the model, before the training.
        if (Thread.currentThread().getName().contains("-worker-")) {
            Waits.on(hooked);
            before.accept(steps.incrementAndGet());
        }
        return super.gradient(parameters, batch, gradient);
    }
}
