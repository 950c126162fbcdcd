package dev.edl.runtime.engine.pass;

import dev.edl.runtime.PassSpec;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.data.PredictionWriter;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.task.Task;
import java.io.IOException;
import java.time.Duration;

/** Work of a prediction: passes outputs to a sink. */
public final class PredictionPass implements PassResultCollector<PredictionResult> {
    private final PredictionWriter.Sink sink;
    private final String target;
    private final long records;
    private final int width;
    private boolean committed;

    /** Opens the prediction's writer. */
    public PredictionPass(Prediction prediction) throws IOException {
        PassSpec spec = prediction.pass();
        this.target = prediction.writer().toString();
        this.records = spec.data().records();
        this.width = spec.model().outputs();
        this.sink = prediction.writer().open(spec.data().shards(), width);
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
