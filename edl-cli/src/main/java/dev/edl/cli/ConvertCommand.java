package dev.edl.cli;

import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.ResourceWriteResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes a job as another resource. */
@Command(
        name = "convert",
        description = {
            "Writes a job as the custom resource of an operator, or as a job of EDL.",
            "A setting that the result cannot express is a warning with its reason."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ConvertCommand implements Callable<Integer> {
    private static final String JOB = "job";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JobInputFlags input = new JobInputFlags();

    @Option(
            names = "--to",
            paramLabel = "KIND",
            required = true,
            description = "Kind of the result: job for EDL's own, or for example pytorchjob, tfjob.v1.kubeflow.org.")
    private String to = "";

    @Option(names = "--strict", description = "Fails when a setting is lost, and prints no result.")
    private boolean strict;

    @Override
    public Integer call() throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        // Before the job is read, so that a wrong kind is not a mistake of the job.
        ResourceKind kind = to.equals(JOB) ? null : ResourceKind.named(to);
        ParsedJob source = input.read(err);
        if (kind == null) {
            boolean options = !source.options().equals(PodOptions.none());
            if (options) {
                err.println("warning: " + source.options()
                        + ": a job of EDL cannot hold pod options, so they are left out");
            }
            return print(source.job().toYaml(), source.losses().size() + (options ? 1 : 0));
        }
        ResourceWriteResult result = kind.writer().apply(source.job(), source.options());
        result.losses().forEach(loss -> err.println("warning: " + loss));
        return print(result.toYaml(), source.losses().size() + result.losses().size());
    }

    private int print(String yaml, int losses) {
        if (strict && losses > 0) {
            spec.commandLine()
                    .getErr()
                    .println("lost settings: " + losses + "; without --strict the result is printed");
            return 1;
        }
        spec.commandLine().getOut().print(yaml);
        return 0;
    }
}
