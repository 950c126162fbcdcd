package dev.edl.cli.elasticdl;

import dev.edl.Job;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.PassExecutor;
import dev.edl.runtime.inprocess.PassRun;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Runs {@code elasticdl evaluate}. */
@Command(
        name = "evaluate",
        description = {
            "Evaluates a checkpoint or an exported model, with the flags of \"elasticdl evaluate\".",
            "Example: edl evaluate --model_def=com.acme.Mnist --validation_data=mnist/test"
                    + " --checkpoint_dir_for_init=out/model.npz --job_name=mnist"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class EvaluateCommand extends ElasticDlRunCommand {
    @Override
    ElasticDlVerb verb() {
        return ElasticDlVerb.EVALUATE;
    }

    @Override
    int here(Job job, ElasticDlTraining training) throws IOException, InterruptedException {
        try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(training.evaluation());
                PassRun<EvaluationResult> run = executor.submit(job)) {
            spec().commandLine().getOut().println(run.awaitResult(timeout()));
            return 0;
        }
    }
}
