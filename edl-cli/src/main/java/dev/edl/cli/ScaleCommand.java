package dev.edl.cli;

import dev.edl.k8s.JobClient;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.operators.CustomResourceExecutor;
import dev.edl.operators.CustomResourceRun;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes the number of replicas of a job's roles, by a request to the job's driver. */
@Command(
        name = "scale",
        description = {
            "Asks the program that drives a job to change the number of replicas of roles.",
            "The job of a custom resource is scaled by that resource, as its operator scales it.",
            "For example edl scale mnist worker=6"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ScaleCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "JOB",
            converter = PrintedJobStatus.Name.class,
            description = "Name of the job, for example mnist.")
    private String name = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "ROLE=N",
            description = "Role and its number of replicas, for example worker=6")
    private Map<String, Integer> roles = new LinkedHashMap<>();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Longest wait for the driver's answer, for example 1m. Default: 30s")
    private Duration timeout = Duration.ofSeconds(30);

    @Override
    public Integer call() throws InterruptedException {
        try (KubernetesExecutor executor = cluster.executor()) {
            String namespace = cluster.namespace(executor);
            // The controller of a TrainingJob scales it by the resources ScaleIn and ScaleOut alone.
            Optional<CustomResourceJob> resource = CustomResourceJob.of(executor, namespace, name);
            if (resource.isPresent()) {
                try (CustomResourceExecutor operator = resource.get().executor()) {
                    CustomResourceRun run = operator.attach(namespace, name);
                    scale(run.plan(), run::scale);
                }
            } else {
                JobClient job = executor.find(namespace, name);
                scale(job.plan(), (role, replicas) -> job.scale(role, replicas, timeout));
            }
            return 0;
        }
    }

    private void scale(JobPlan plan, Scaling job) throws InterruptedException {
        // A mistake in the last role must not leave the first role scaled.
        roles.forEach((role, replicas) -> check(plan.role(role), replicas));
        for (Map.Entry<String, Integer> role : roles.entrySet()) {
            job.scale(role.getKey(), role.getValue());
            spec.commandLine().getOut().println("job " + name + ": " + role.getKey() + " scaled to " + role.getValue());
        }
    }

    private void check(RolePlan role, int replicas) {
        if (!role.elastic() || !role.bounds().contains(replicas)) {
            throw new IllegalArgumentException("job \"" + name + "\": " + role.type() + " "
                    + (role.elastic()
                            ? "can be scaled between " + role.bounds().min() + " and "
                                    + role.bounds().max()
                            : "is not elastic and keeps its number of replicas, " + role.replicas())
                    + ", was " + replicas + "; no role is scaled");
        }
    }

    private interface Scaling {
        void scale(String role, int replicas) throws InterruptedException;
    }
}
