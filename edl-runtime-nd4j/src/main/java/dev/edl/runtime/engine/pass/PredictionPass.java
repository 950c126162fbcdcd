package dev.edl.runtime.engine.pass;

import dev.edl.runtime.PassSpec;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.data.PredictionWriter;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.time.Duration;

/** Work of a prediction: passes outputs to a sink. */
public final class PredictionPass implements PassWork<PredictionResult> {
    private final PredictionWriter.Sink sink;
    private final String target;
    private final long records;
    private final int width;
    private boolean committed;

    /** The model's outputs for one task, added minibatch by minibatch. */
    private static final class Outputs implements PartialTaskResult {
        private final float[] values;
        private int filled;

        private Outputs(int size) {
            values = new float[size];
        }

        @Override
        public void add(float[] outputs, int width, Batch batch) {
            int length = batch.size() * width;
            System.arraycopy(outputs, 0, values, filled, length);
            filled += length;
        }

        @Override
        public void report(MasterPort master, Task task) {
            master.predicted(task, values);
        }
    }

    /** Opens the prediction's writer. */
    public PredictionPass(Prediction prediction) throws IOException {
        PassSpec spec = prediction.pass();
        this.target = prediction.writer().toString();
        this.records = spec.data().records();
        this.width = spec.model().outputs();
        this.sink = prediction.writer().open(spec.data().shards(), width);
    }

    @Override
    public boolean predicts() {
        return true;
    }

    @Override
    public PartialTaskResult begin(int count) {
        return new Outputs(Math.multiplyExact(count, width));
    }

    @Override
    public void predicted(Task task, float[] outputs) throws IOException {
        sink.write(task.shard(), task.start(), task.end(), outputs);
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
