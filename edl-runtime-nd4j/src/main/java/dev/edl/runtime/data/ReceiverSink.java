package dev.edl.runtime.data;

import java.io.IOException;

/** Hands on what it is given. */
record ReceiverSink(PredictionWriter.Receiver receiver, int width) implements PredictionWriter.Sink {
    @Override
    public void write(String shard, long start, long end, float[] outputs) throws IOException {
        receiver.accept(shard, start, end, outputs, width);
    }

    @Override
    public void commit() {
        // All was handed on already.
    }

    @Override
    public void close() {
        // Nothing was opened.
    }
}
