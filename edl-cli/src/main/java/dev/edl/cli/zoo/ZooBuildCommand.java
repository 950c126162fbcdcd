package dev.edl.cli.zoo;

import dev.edl.image.ProgramImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the image of a project's program as an archive. */
@Command(
        name = "build",
        description = {
            "Builds a project, and writes the image of its program.",
            "Maven or Gradle builds the project, without its tests. The archive is in target or build.",
            "docker load -i, ctr image import and kind load image-archive read it."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ZooBuildCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--image",
            required = true,
            paramLabel = "NAME",
            description = "Name of the image, for example registry.example/acme/mnist:1.")
    private @Nullable String image;

    @Mixin
    private RegistryOptions registry = new RegistryOptions();

    @Parameters(
            paramLabel = "PATH",
            arity = "0..1",
            defaultValue = ".",
            description = "Folder of the project. Default: ${DEFAULT-VALUE}")
    private Path folder = Path.of(".");

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        String name = ProgramImage.requireName(Objects.requireNonNull(image));
        ProjectBuild build = ProjectBuild.in(folder);
        ProgramImage program = registry.image(build.run());
        String file = name.substring(name.lastIndexOf('/') + 1).replace(':', '-') + ".tar";
        Path archive = build.output().resolve(file);
        String digest = program.writeArchive(archive, name);
        out.println(archive);
        out.println(digest);
        out.println("next: edl zoo push " + name + " " + folder);
        return 0;
    }
}
