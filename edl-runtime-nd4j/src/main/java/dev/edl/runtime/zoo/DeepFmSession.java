package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.zoo.internal.graph.BatchCheck;
import dev.edl.runtime.zoo.internal.layers.DeepComponentBuffers;
import dev.edl.runtime.zoo.internal.layers.FactorizationMachine;
import dev.edl.runtime.zoo.internal.layers.LogisticLoss;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Session that holds one worker's buffers for a {@link DeepFm}; after the first batch of each size a step allocates
 * almost nothing.
 */
final class DeepFmSession implements Model.Session {
    private final DeepFm model;
    private final int capacity;
    private final FactorizationMachine factors;
    /** Hidden layers of the network; null for a model without any. */
    private final @Nullable DeepComponentBuffers deep;

    private final float[] logits;
    private final float[] logitDelta;
    private final float[] input;
    private final float[] inputDelta;

    private boolean closed;

    DeepFmSession(DeepFm model, int capacity) {
        this.model = model;
        this.capacity = capacity;
        List<Parameter> parameters = model.layout().parameters();
        int front = model.features() == 0 ? 1 : 2;
        factors = new FactorizationMachine(
                model.ids(),
                model.features(),
                model.dimension(),
                parameters.get(0).offset(),
                parameters.get(0).end(),
                capacity);
        deep = parameters.size() == front
                ? null
                : new DeepComponentBuffers(parameters.subList(front, parameters.size()), capacity);
        logits = new float[capacity];
        logitDelta = new float[capacity];
        input = new float[Math.multiplyExact(capacity, model.width())];
        inputDelta = new float[input.length];
    }

    @Override
    public float gradient(float[] parameters, Batch batch, float[] gradient) {
        checkOpen();
        BatchCheck.training(model, capacity, batch, parameters, gradient);
        forward(parameters, batch);
        float loss = LogisticLoss.loss(logits, batch, logitDelta);
        if (deep != null) {
            deep.backward(logitDelta, batch.size(), gradient, inputDelta);
        }
        factors.backward(batch, logitDelta, inputDelta, gradient);
        return loss;
    }

    @Override
    public void predict(float[] parameters, Batch batch, float[] outputs) {
        checkOpen();
        BatchCheck.prediction(model, capacity, batch, parameters, outputs);
        forward(parameters, batch);
        LogisticLoss.probabilities(logits, batch.size(), outputs);
    }

    private void forward(float[] parameters, Batch batch) {
        factors.forward(parameters, batch, logits, input);
        if (deep != null) {
            deep.forward(parameters, input, batch.size(), logits);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (deep != null) {
                deep.close();
            }
        }
    }

    /** Returns, for example, {@code session of DeepFm[26 fields, ...] for up to 64 records}. */
    @Override
    public String toString() {
        return "session of " + model + " for up to " + capacity + " records";
    }
}
