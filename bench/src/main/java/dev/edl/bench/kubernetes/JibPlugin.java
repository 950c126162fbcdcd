package dev.edl.bench.kubernetes;

import dev.edl.program.ProgramJars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Jib's Maven plugin for the class path of a {@link ChangingProgram}: a project whose output folder has the changing
 * class, and whose dependencies are the other entries. Each build starts Maven, which finds the plugin in its local
 * repository. Jib refuses to push in Maven's offline mode.
 */
final class JibPlugin {
    private static final String DEPENDENCIES = "<dependencies/>";

    private final Path pom;
    private final String repository;
    private final String base;

    /**
     * Writes the project.
     *
     * @param template file of {@code conformance/peers/jib}, which names the plugin's version
     * @param folder folder of the project, which is created
     * @param base image with a Java runtime
     * @param repository name of the image without a tag
     */
    JibPlugin(Path template, Path folder, ChangingProgram program, String base, String repository) throws IOException {
        this.base = base;
        this.repository = repository;
        StringBuilder dependencies = new StringBuilder("<dependencies>\n");
        // A folder of classes becomes a jar, as that of another module of a project.
        for (ProgramJars.Jar jar : ProgramJars.of(program.others(), folder.resolve("jars"))) {
            dependencies.append("""
                    <dependency>
                      <groupId>entry</groupId>
                      <artifactId>%s</artifactId>
                      <version>%s</version>
                      <scope>system</scope>
                      <systemPath>%s</systemPath>
                    </dependency>
                    """.formatted(
                            jar.name().replace(".jar", ""),
                            jar.changes() == ProgramJars.Frequency.LIBRARY ? "1" : "1-SNAPSHOT",
                            jar.file()));
        }
        String text = Files.readString(template);
        if (!text.contains(DEPENDENCIES)) {
            throw new IllegalStateException(template + " must contain " + DEPENDENCIES);
        }
        pom = Files.writeString(
                folder.resolve("pom.xml"),
                text.replace(
                                DEPENDENCIES,
                                dependencies.append("</dependencies>").toString())
                        .replace("<build>", "<build><outputDirectory>" + program.classes() + "</outputDirectory>"));
    }

    /** Builds and pushes the image, and returns its name with the digest. */
    String push() throws IOException, InterruptedException {
        TestCluster.command(
                "sh",
                "-c",
                // Maven writes its errors to the standard output.
                "exec \"$@\" >&2",
                "sh",
                "mvn",
                "-B",
                "-q",
                "-f",
                pom.toString(),
                "jib:build",
                "-Djib.from.image=" + base,
                "-Djib.to.image=" + repository,
                "-Djib.container.mainClass=" + DeliveredProgram.class.getName(),
                "-Djib.useOnlyProjectCache=true",
                "-Djib.allowInsecureRegistries=true");
        return repository + "@"
                + Files.readString(pom.resolveSibling("target/jib-image.digest"))
                        .strip();
    }
}
