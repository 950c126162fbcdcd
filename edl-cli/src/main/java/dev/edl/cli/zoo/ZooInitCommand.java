package dev.edl.cli.zoo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates a project. */
@Command(
        name = "init",
        description = {
            "Creates a project with a training, its job and its tests.",
            "The folder must be empty or absent."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ZooInitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--package",
            paramLabel = "NAME",
            description = "Java package; its last word names project and job. Default: ${DEFAULT-VALUE}")
    private String packageName = "com.acme.points";

    @Option(
            names = "--build",
            paramLabel = "TOOL",
            description = "Build tools: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
    private BuildTool build = BuildTool.both;

    @Option(
            names = "--base_image",
            paramLabel = "IMAGE",
            description = "Image with Java below the program's, for example eclipse-temurin:17-jre."
                    + " Without it, images get a runtime of the JDK that builds them.")
    private String base = "";

    @Parameters(
            paramLabel = "PATH",
            arity = "0..1",
            defaultValue = ".",
            description = "Folder of the project. Default: ${DEFAULT-VALUE}")
    private Path folder = Path.of(".");

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        ProjectTemplate template = new ProjectTemplate(packageName, build, base);
        template.write(folder).forEach(file -> out.println(folder.resolve(file)));
        out.println("next: cd " + folder + " && "
                + (build.has(BuildTool.maven)
                        ? "mvn verify && java -jar target/" + template.name() + ".jar"
                        : "gradle build run"));
        return 0;
    }
}
