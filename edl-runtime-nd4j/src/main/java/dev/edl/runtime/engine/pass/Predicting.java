package dev.edl.runtime;

import dev.edl.runtime.data.PredictionWriter;
import dev.edl.runtime.task.LedgerProof;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.time.Duration;

/** The work of a prediction: outputs, handed to a sink. */
final class Predicting implements PassWork<Predicting.Outputs, PredictionResult> {
    private final PredictionWriter.Sink sink;
    private final String target;
    private final long records;
    private final int width;
    private boolean committed;

    /** The outputs of one task, as far as they are computed. */
    static final class Outputs {
        private final float[] values;
        private int filled;

        private Outputs(int size) {
            values = new float[size];
        }
    }

    /** Opens the prediction's writer. */
    Predicting(Prediction prediction) throws IOException {
        Pass pass = prediction.pass();
        this.target = prediction.writer().toString();
        this.records = pass.data().records();
        this.width = pass.model().outputs();
        this.sink = prediction.writer().open(pass.data().shards(), width);
    }

    @Override
    public boolean predicts() {
        return true;
    }

    @Override
    public Outputs begin(int count) {
        return new Outputs(Math.multiplyExact(count, width));
    }

    @Override
    public void add(Outputs part, float[] outputs, int outputWidth, Batch batch) {
        int length = batch.size() * outputWidth;
        System.arraycopy(outputs, 0, part.values, part.filled, length);
        part.filled += length;
    }

    @Override
    public void accept(Task task, Outputs part) throws IOException {
        sink.write(task.shard(), task.start(), task.end(), part.values);
    }

    @Override
    public PredictionResult finish(long version, LedgerProof proof, Duration took) throws IOException {
        if (!committed) {
            sink.commit();
            committed = true;
        }
        return new PredictionResult(version, records, width, target, proof, took);
    }

    @Override
    public TrainingEvent event(PredictionResult result) {
        return new TrainingEvent.Predicted(result);
    }

    @Override
    public void close() throws IOException {
        sink.close();
    }
}
