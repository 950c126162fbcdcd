package dev.edl.cli;

import dev.edl.k8s.queue.JobQueue;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows the settings that a job gets without naming them. */
@Command(
        name = "explain",
        description = "Shows the roles and settings that a job gets without naming them, each with its reason.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ExplainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JobInputFlags input = new JobInputFlags();

    @Override
    public Integer call() throws IOException {
        ParsedJob source = input.read(spec.commandLine().getErr());
        String text = source.job().explain().toString();
        spec.commandLine().getOut().println(JavaCallReplacer.translated(text, spec));
        JobQueue.explain(source.job()).ifPresent(spec.commandLine().getOut()::println);
        return 0;
    }
}
