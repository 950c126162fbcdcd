package dev.edl.runtime.inprocess;

import dev.edl.runtime.model.Batch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Model that calls a hook with the number of predictions before each prediction of any worker. */
final class AskedModel extends LogisticModel {
    private final AtomicLong asked = new AtomicLong();
    private volatile LongConsumer before = n -> {};

    AskedModel(int features) {
        super(features);
    }

    /** Called by the worker's thread with 1 for the first prediction. */
    void before(LongConsumer hook) {
        before = hook;
    }

    @Override
    public Session open(int capacity) {
        Session session = super.open(capacity);
        return new Session() {
            @Override
            public float gradient(float[] parameters, Batch batch, float[] gradient) {
                return session.gradient(parameters, batch, gradient);
            }

            @Override
            public void predict(float[] parameters, Batch batch, float[] outputs) {
                before.accept(asked.incrementAndGet());
                session.predict(parameters, batch, outputs);
            }

            @Override
            public void close() {
                session.close();
            }
        };
    }
}
