package dev.edl.cli.elasticdl;

import dev.edl.Job;
import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.exec.JobStatus;
import dev.edl.runtime.ConsoleReport;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.spec.RoleType;
import picocli.CommandLine.Command;

/** Runs {@code elasticdl train}. */
@Command(
        name = "train",
        description = {
            "Trains as \"elasticdl train\" does, with its flags. --model_def names a class that implements"
                    + " ModelDefinition, or a network of ElasticDL's zoo.",
            "Example: edl train --model_def=mnist_functional_api.mnist_functional_api.custom_model"
                    + " --training_data=mnist/train --job_name=mnist",
            "A flag that EDL does not carry over is a warning with its reason."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class TrainCommand extends ElasticDlRunCommand {
    @Override
    ElasticDlVerb verb() {
        return ElasticDlVerb.TRAIN;
    }

    /** Adds the parameter server that a command line for AllReduce or one process lacks. */
    @Override
    Job job(ElasticDlCommand command) {
        Job job = command.job();
        if (job.role(RoleType.PS).isPresent()) {
            return job;
        }
        spec().commandLine().getErr().println("warning: --num_ps_pods=0 is 1 here: EDL trains with parameter servers");
        return job.toBuilder().ps(1, role -> {}).build();
    }

    @Override
    void check(ElasticDlTraining training) {
        training.training();
    }

    @Override
    int here(Job job, ElasticDlTraining training) throws InterruptedException {
        ConsoleReport report = ConsoleReport.to(out());
        try (InProcessExecutor executor = InProcessExecutor.of(training.training());
                TrainingRun run = executor.submit(job)) {
            run.onTraining(report);
            JobStatus end = run.await(timeout());
            report.end();
            return ended(end, run.result());
        }
    }
}
