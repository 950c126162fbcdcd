package dev.edl.cli;

import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.Workload;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesList;
import io.fabric8.kubernetes.api.model.KubernetesListBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what a job becomes, without a cluster. */
@Command(
        name = "plan",
        description = {
            "Shows the replicas of a job with their names, addresses and environment, without a cluster.",
            "-o yaml prints the objects that kubectl apply accepts."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class PlanCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JobInputFlags input = new JobInputFlags();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "Kubernetes objects as yaml, json or name; without it, a table for people.")
    private @Nullable OutputFormat format;

    @Option(
            names = "--workload",
            paramLabel = "KIND",
            description = "Objects of the replicas: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
    private Workload workload = Workload.INDEXED_JOBS;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        ParsedJob source = input.read(spec.commandLine().getErr());
        JobPlan plan = source.plan();
        if (format == null) {
            out.println(plan);
            return 0;
        }
        Manifests manifests = Manifests.of(plan, source.options(), workload);
        switch (format) {
            case yaml -> out.print(manifests.toYaml());
            case json -> {
                KubernetesList list = new KubernetesListBuilder()
                        .addAllToItems(manifests.objects())
                        .build();
                out.print(OutputFormat.json(list));
            }
            case name -> manifests.objects().forEach(object -> out.println(name(object)));
        }
        return 0;
    }

    /** Returns an object's name as kubectl prints it, such as {@code job.batch/mnist-worker}. */
    static String name(HasMetadata object) {
        String kind = object.getKind().toLowerCase(Locale.ROOT);
        int slash = object.getApiVersion().indexOf('/');
        String group = slash < 0 ? "" : "." + object.getApiVersion().substring(0, slash);
        return kind + group + "/" + object.getMetadata().getName();
    }
}
