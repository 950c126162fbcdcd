package dev.edl.cli.zoo;

import dev.edl.image.ProgramImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Pushes the image of a project's program. */
@Command(
        name = "push",
        description = {
            "Builds a project, and pushes the image of its program.",
            "Prints the image's name with its digest.",
            "Credentials are those of docker login or of a credential helper."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ZooPushCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RegistryOptions registry = new RegistryOptions();

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "Name of the image, for example registry.example/acme/mnist:1.")
    private String image = "";

    @Parameters(
            index = "1",
            paramLabel = "PATH",
            arity = "0..1",
            defaultValue = ".",
            description = "Folder of the project. Default: ${DEFAULT-VALUE}")
    private Path folder = Path.of(".");

    @Override
    public Integer call() throws IOException, InterruptedException {
        ProgramImage.requireName(image);
        ProgramImage program = registry.image(ProjectBuild.in(folder).run());
        spec.commandLine().getOut().println(program.push(image));
        return 0;
    }
}
