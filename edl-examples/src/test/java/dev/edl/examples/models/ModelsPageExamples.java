package dev.edl.examples.models;

import dev.edl.Job;
import dev.edl.runtime.Evaluation;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.data.ArraySplit;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.PredictionWriter;
import dev.edl.runtime.data.Standardization;
import dev.edl.runtime.data.csv.CsvTable;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.PassExecutor;
import dev.edl.runtime.inprocess.PassRun;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.onnx.OnnxExport;
import dev.edl.runtime.zoo.Mlp;
import dev.edl.runtime.zoo.OnnxNetwork;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The Java of docs/models.md about trained models. */
final class ModelsPageExamples {
    private ModelsPageExamples() {}

    static void ask(Job job, Path csv, Path npz, PrintStream out) throws IOException, InterruptedException {
        // region: ask
        CsvTable table = CsvTable.read(csv); // 4 features, 3 classes
        ArraySplit raw = table.dataset().split(0.25, 42);
        ArraySplit split = raw.standardized();
        Training training = Training.builder()
                .model(Mlp.of(4, 3))
                .data(split.train())
                .validation(split.test())
                .epochs(100)
                .export(npz)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            TrainingResult result = run.awaitResult(Duration.ofMinutes(5)); // or throws why it failed
            float[] flower = raw.standardization().apply(new float[] {5.1f, 3.5f, 1.4f, 0.2f});
            float[] scores = result.model().predict(flower); // a probability for each class
            int best = result.model().predictClass(flower);
            out.println(table.classNames().get(best) + " with probability " + scores[best]);
        }

        TrainedModel exported = TrainedModel.load(npz).using(Mlp.of(4, 3));
        List<float[]> answers =
                exported.predictAll(List.of(split.test().row(0), split.test().row(1)));
        // end
        out.println(answers.size() + " answers");
    }

    static byte[] onnx(Path npz, Path onnx, Standardization standardization) throws IOException {
        // region: onnx
        TrainedModel trained = TrainedModel.load(npz).using(Mlp.of(4, 3));
        trained.export(onnx); // takes standardized features, as the training did
        byte[] raw = OnnxExport.of(trained).standardized(standardization).toBytes(); // takes features as measured
        // end
        return raw;
    }

    static Training trainOn(Path onnx, Dataset data, Path next) throws IOException {
        // region: train-on
        Model model = OnnxNetwork.read(onnx).classifier(); // or probability(), or regression()
        Training training = Training.builder()
                .model(model) // its initial values are the parameters of the file
                .data(data)
                .epochs(10)
                .export(next)
                .build();
        // end
        return training;
    }

    static void jobs(Job job, Path npz, Dataset test, Path npy, PrintStream out) throws InterruptedException {
        // region: jobs
        Evaluation evaluation = Evaluation.builder()
                .model(Mlp.of(4, 3))
                .from(npz) // or a directory of checkpoints, or a TrainedModel
                .data(test)
                .metrics(Metric.accuracy(), Metric.crossEntropy())
                .build();
        try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(evaluation);
                PassRun<EvaluationResult> run = executor.submit(job)) {
            out.println(run.awaitResult(Duration.ofMinutes(5)).metrics());
        }

        Prediction prediction = Prediction.builder()
                .model(Mlp.of(4, 3))
                .from(npz)
                .data(test)
                .to(PredictionWriter.npy(npy)) // or PredictionWriter.csv(path), or your own
                .build();
        try (PassExecutor<PredictionResult> executor = InProcessExecutor.of(prediction);
                PassRun<PredictionResult> run = executor.submit(job)) {
            out.println(run.awaitResult(Duration.ofMinutes(5)));
        }
        // end
    }
}
