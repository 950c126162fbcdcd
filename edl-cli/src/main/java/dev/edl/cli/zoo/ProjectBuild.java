package dev.edl.cli.zoo;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * Builds a project by its own Maven or Gradle, without its tests. The project's wrapper comes before the tool on the
 * PATH.
 */
final class ProjectBuild {
    /** Bound of a build. A first build may fetch ND4J's natives. */
    private static final long MINUTES = 30;
    /** Last lines of a tool's output that a failure shows. */
    private static final int LINES = 100;

    private static final boolean WINDOWS =
            System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");

    private final Path folder;
    private final BuildTool tool;

    private ProjectBuild(Path folder, BuildTool tool) {
        this.folder = folder;
        this.tool = tool;
    }

    /**
     * Returns the build of a project. A project with files of both tools is built by Maven.
     *
     * @throws IllegalArgumentException if the folder has no file of Maven or Gradle
     */
    static ProjectBuild in(Path folder) {
        if (Files.exists(folder.resolve("pom.xml"))) {
            return new ProjectBuild(folder, BuildTool.maven);
        }
        if (Files.exists(folder.resolve("build.gradle.kts")) || Files.exists(folder.resolve("build.gradle"))) {
            return new ProjectBuild(folder, BuildTool.gradle);
        }
        throw new IllegalArgumentException(
                "PATH must be a folder with pom.xml, build.gradle.kts or build.gradle, was \"" + folder
                        + "\"; edl zoo init PATH creates one");
    }

    /** Returns the folder of built files. */
    Path output() {
        return folder.resolve(tool == BuildTool.maven ? "target" : "build");
    }

    /**
     * Builds the project.
     *
     * @throws IllegalArgumentException if its jar has no main class
     * @throws IOException if the build fails; the message has the tool's last lines
     */
    BuiltProgram run() throws IOException, InterruptedException {
        Path work = Files.createTempDirectory("edl-zoo-");
        try {
            return tool == BuildTool.maven ? maven(work) : gradle(work);
        } finally {
            for (String file : List.of("program", "program.gradle", "output")) {
                Files.deleteIfExists(work.resolve(file));
            }
            Files.delete(work);
        }
    }

    private BuiltProgram maven(Path work) throws IOException, InterruptedException {
        Path program = work.resolve("program");
        run(
                work,
                command("mvnw", "mvn", ".cmd"),
                "--batch-mode",
                "--quiet",
                "-Dmaven.test.skip=true",
                "-DincludeScope=runtime",
                "-Dmdep.outputFile=" + program,
                "package",
                "org.apache.maven.plugins:maven-dependency-plugin:build-classpath");
        return BuiltProgram.of(mavenJar(), paths(Files.readString(program), File.pathSeparator));
    }

    private Path mavenJar() throws IOException {
        List<Path> jars = new ArrayList<>();
        if (Files.isDirectory(output())) {
            try (Stream<Path> files = Files.list(output())) {
                for (Path file : files.sorted().toList()) {
                    if (file.toString().endsWith(".jar") && hasMain(file)) {
                        jars.add(file);
                    }
                }
            }
        }
        if (jars.size() != 1) {
            throw new IllegalArgumentException(output() + " must have one jar whose manifest names a "
                    + Attributes.Name.MAIN_CLASS + ", had " + (jars.isEmpty() ? "none" : jars)
                    + "; for example <mainClass>com.acme.mnist.Main</mainClass> of maven-jar-plugin; mvn clean removes"
                    + " old jars");
        }
        return jars.get(0);
    }

    private static boolean hasMain(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            return manifest != null && manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS) != null;
        }
    }

    private BuiltProgram gradle(Path work) throws IOException, InterruptedException {
        Path program = work.resolve("program");
        Path script = Files.writeString(work.resolve("program.gradle"), ProjectTemplate.text("program.gradle"));
        run(
                work,
                command("gradlew", "gradle", ".bat"),
                "--quiet",
                "--console=plain",
                "--init-script",
                script.toString(),
                "-Dedl.program=" + program,
                "edlProgram");
        List<Path> paths = paths(Files.readString(program), "\n");
        return BuiltProgram.of(paths.get(0), paths.subList(1, paths.size()));
    }

    private static List<Path> paths(String text, String separator) {
        return Stream.of(text.strip().split(separator))
                .filter(path -> !path.isEmpty())
                .map(Path::of)
                .toList();
    }

    private String command(String wrapper, String name, String windows) {
        String suffix = WINDOWS ? windows : "";
        Path local = folder.resolve(wrapper + suffix).toAbsolutePath();
        return Files.isExecutable(local) ? local.toString() : name + suffix;
    }

    private void run(Path work, String... command) throws IOException, InterruptedException {
        Path output = work.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new IOException(
                    "project " + folder + " needs " + command[0] + " on the PATH or a wrapper in its folder: "
                            + e.getMessage(),
                    e);
        }
        try {
            process.getOutputStream().close();
            boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
            if (!ended || process.exitValue() != 0) {
                String end = ended ? "exit code " + process.exitValue() : "not ended within " + MINUTES + "m";
                throw new IOException(
                        "the build of " + folder + " by " + command[0] + " failed: " + end + "\n" + tail(output));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String tail(Path output) throws IOException {
        List<String> lines = Files.readString(output).lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }
}
