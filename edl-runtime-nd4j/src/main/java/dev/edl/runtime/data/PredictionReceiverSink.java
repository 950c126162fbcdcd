package dev.edl.runtime.data;

import java.io.IOException;

/** Sink that passes outputs to a receiver. */
record PredictionReceiverSink(PredictionWriter.Receiver receiver, int width) implements PredictionWriter.Sink {
    @Override
    public void write(String shard, long start, long end, float[] outputs) throws IOException {
        receiver.accept(shard, start, end, outputs, width);
    }

    @Override
    public void commit() {
        // All outputs were already passed on.
    }

    @Override
    public void close() {
        // Nothing was opened.
    }
}
