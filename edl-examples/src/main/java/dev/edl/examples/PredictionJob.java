package dev.edl.examples;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.PredictionWriter;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.PassExecutor;
import dev.edl.runtime.inprocess.PassRun;
import dev.edl.runtime.model.Model;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Runs a job that predicts the outputs for records with a trained model, and reads its predictions. */
public final class PredictionJob {
    private static final Duration LIMIT = Duration.ofHours(1);
    /** Offset of the header's length in an .npy file of version 1.0, which precedes the header. */
    private static final int HEADER_LENGTH = 8;

    private static final int HEADER = 10;

    private PredictionJob() {}

    /**
     * Predicts the outputs for all records of a dataset, by a job of a master and workers in this JVM.
     *
     * @param npy file to which the job writes the predictions: one float32 array (records, outputs)
     * @return the predictions, record after record in the order of the data
     * @throws IOException when the job fails
     */
    public static float[] run(Model model, TrainedModel trained, Dataset data, int workers, Path npy)
            throws IOException, InterruptedException {
        Prediction prediction = Prediction.builder()
                .model(model)
                .from(trained)
                .data(data)
                .to(PredictionWriter.npy(npy))
                .build();
        Job job = Job.builder()
                .name("predict")
                .elasticdl()
                .master()
                .workers(workers)
                .build();
        try (PassExecutor<PredictionResult> executor = InProcessExecutor.of(prediction);
                PassRun<PredictionResult> run = executor.submit(job)) {
            JobStatus end = run.await(LIMIT);
            if (end.phase() != JobPhase.SUCCEEDED) {
                throw new IOException("job " + end.job() + " " + end.phase() + ": " + end.message());
            }
        }
        return read(npy);
    }

    private static float[] read(Path npy) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(npy)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.position(HEADER + Short.toUnsignedInt(bytes.getShort(HEADER_LENGTH)));
        float[] values = new float[bytes.remaining() / Float.BYTES];
        bytes.asFloatBuffer().get(values);
        return values;
    }
}
