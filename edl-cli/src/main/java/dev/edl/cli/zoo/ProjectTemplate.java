package dev.edl.cli.zoo;

import dev.edl.Job;
import dev.edl.image.ProgramImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;

/** Files of a new project: resources of this package, whose placeholders are replaced. */
final class ProjectTemplate {
    private static final Pattern PACKAGE = Pattern.compile("[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([a-z0-9.]+)}}");
    private static final List<String> MAIN = List.of("Main", "PointsJob", "PointsTraining");
    private static final List<String> TEST = List.of("PointsJobTest", "PointsTrainingTest");
    private static final String GOLDEN = "PointsJobTest.the_plan_is_as_approved.yaml";

    private final String name;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, String> files = new LinkedHashMap<>();

    /**
     * Creates the template.
     *
     * @param packageName Java package of at least two words; the last one names the project,
     *     with {@code -} for {@code _}
     * @param base image with a Java runtime; empty without one
     * @throws IllegalArgumentException if the package or the image is invalid
     */
    ProjectTemplate(String packageName, BuildTool build, String base) throws IOException {
        if (!PACKAGE.matcher(packageName).matches() || !SourceVersion.isName(packageName, SourceVersion.RELEASE_17)) {
            throw new IllegalArgumentException(
                    "--package must be a Java package of two or more words in lower case, was \"" + packageName
                            + "\"; for example com.acme.mnist");
        }
        if (!base.isEmpty()) {
            requireImage(base);
        }
        int last = packageName.lastIndexOf('.');
        name = packageName.substring(last + 1).replace('_', '-');
        // Throws what the project's own job would throw.
        Job.named(name).workers(1).build();
        values.put("package", packageName);
        values.put("group", packageName.substring(0, last));
        values.put("name", name);
        values.put("base", base);
        versions().forEach((artifact, version) -> values.put("version." + artifact, version.toString()));
        values.put(
                "commands",
                Stream.of(BuildTool.maven, BuildTool.gradle)
                        .filter(build::has)
                        .map(tool -> replaced("README-" + tool + ".md").strip())
                        .collect(Collectors.joining("\n\n")));
        files.put("README.md", "README.md");
        files.put(".gitignore", "gitignore");
        if (build.has(BuildTool.maven)) {
            files.put("pom.xml", "pom.xml");
        }
        if (build.has(BuildTool.gradle)) {
            files.put("settings.gradle.kts", "settings.gradle.kts");
            files.put("build.gradle.kts", "build.gradle.kts");
        }
        String folder = packageName.replace('.', '/') + "/";
        MAIN.forEach(type -> files.put("src/main/java/" + folder + type + ".java", type + ".java"));
        TEST.forEach(type -> files.put("src/test/java/" + folder + type + ".java", type + ".java"));
        files.put("src/test/resources/" + folder + GOLDEN, GOLDEN);
    }

    /** Returns the name of project and job. */
    String name() {
        return name;
    }

    /**
     * Writes the project, and returns the paths of its files in the folder.
     *
     * @param folder empty folder, which is created if absent
     * @throws IllegalArgumentException if the folder has files
     * @throws IOException if a file cannot be written
     */
    List<String> write(Path folder) throws IOException {
        if (Files.exists(folder)) {
            requireEmpty(folder);
        }
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            Files.writeString(path, replaced(file.getValue()), StandardOpenOption.CREATE_NEW);
        }
        return List.copyOf(files.keySet());
    }

    private static void requireImage(String base) {
        try {
            ProgramImage.builder(List.of(), "Main").base(base);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--base_image: " + e.getMessage(), e);
        }
    }

    private static void requireEmpty(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(
                    "PATH must be an empty folder, but " + folder + " is a file; for example edl zoo init mnist");
        }
        try (Stream<Path> entries = Files.list(folder)) {
            List<String> names = entries.map(entry -> entry.getFileName().toString())
                    .sorted()
                    .limit(4)
                    .toList();
            if (!names.isEmpty()) {
                throw new IllegalArgumentException("PATH must be an empty folder, but " + folder + " has "
                        + String.join(", ", names.subList(0, Math.min(3, names.size())))
                        + (names.size() > 3 ? ", ..." : "") + "; for example edl zoo init mnist");
            }
        }
    }

    private String replaced(String resource) {
        return PLACEHOLDER
                .matcher(text(resource))
                .replaceAll(found -> Matcher.quoteReplacement(
                        Objects.requireNonNull(values.get(found.group(1)), () -> resource + ": " + found.group())));
    }

    private static Properties versions() throws IOException {
        Properties versions = new Properties();
        try (InputStream in = stream("versions.properties")) {
            versions.load(in);
        }
        return versions;
    }

    /** Returns the text of a resource of this package. */
    static String text(String resource) {
        try (InputStream in = stream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("resource " + resource + " of edl-cli cannot be read", e);
        }
    }

    private static InputStream stream(String resource) {
        return Objects.requireNonNull(ProjectTemplate.class.getResourceAsStream(resource), resource);
    }
}
