package dev.edl.cli.elasticdl;

import dev.edl.Job;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.PassExecutor;
import dev.edl.runtime.inprocess.PassRun;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Runs {@code elasticdl predict}. */
@Command(
        name = "predict",
        description = {
            "Predicts by a checkpoint or an exported model, with the flags of \"elasticdl predict\"; writes"
                    + " predictions.csv into --output.",
            "Example: edl predict --model_def=com.acme.Mnist --prediction_data=mnist/test --output=out"
                    + " --checkpoint_dir_for_init=out/model.npz --job_name=mnist"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class PredictCommand extends ElasticDlRunCommand {
    @Override
    ElasticDlVerb verb() {
        return ElasticDlVerb.PREDICT;
    }

    @Override
    void check(ElasticDlTraining training) {
        training.predictions();
    }

    @Override
    int here(Job job, ElasticDlTraining training) throws IOException, InterruptedException {
        try (PassExecutor<PredictionResult> executor = InProcessExecutor.of(training.prediction());
                PassRun<PredictionResult> run = executor.submit(job)) {
            spec().commandLine().getOut().println(run.awaitResult(timeout()));
            return 0;
        }
    }
}
