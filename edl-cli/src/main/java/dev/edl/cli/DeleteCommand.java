package dev.edl.cli;

import dev.edl.k8s.KubernetesExecutor;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Deletes a job of a cluster. */
@Command(
        name = "delete",
        description = {
            "Deletes a job with its record and all its objects, ended or not, whichever program drives it.",
            "For the job of a custom resource, it deletes that resource. Volume claims stay.",
            "The pods follow, each with its grace period. edl cancel keeps the record and logs."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DeleteCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "JOB",
            converter = PrintedJobStatus.Name.class,
            description = "Name of the job, for example mnist.")
    private String name = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() {
        try (KubernetesExecutor executor = cluster.executor()) {
            String namespace = cluster.namespace(executor);
            // Its controller would start the job again if only the record was deleted.
            CustomResourceJob.of(executor, namespace, name).ifPresentOrElse(CustomResourceJob::delete, () -> {
                executor.find(namespace, name);
                executor.delete(namespace, name);
            });
            spec.commandLine().getOut().println("job " + name + " deleted from namespace " + namespace);
            return 0;
        }
    }
}
