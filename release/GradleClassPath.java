import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.gradle.api.Project;
import org.gradle.testfixtures.ProjectBuilder;

/**
 * Writes the class paths that Gradle resolves for a project: {@code GradleClassPath.java FOLDER}, which has a build.gradle. The
 * files are FOLDER/class-path, for the program, and FOLDER/test-class-path, to compile its tests. Gradle's artifact for the
 * tests of plugins is enough; it runs no tasks.
 */
final class GradleClassPath {
    public static void main(String[] arguments) {
        int code = 1;
        try {
            resolve(Path.of(arguments[0]).toAbsolutePath());
            code = 0;
        } catch (Exception e) {
            e.printStackTrace();
        }
        // Gradle's threads would keep this program alive.
        System.exit(code);
    }

    private static void resolve(Path folder) throws Exception {
        Project project = ProjectBuilder.builder()
                .withProjectDir(folder.toFile())
                .withGradleUserHomeDir(folder.resolve("home").toFile())
                .build();
        project.apply(Map.of("from", folder.resolve("build.gradle").toFile()));
        write(project, "runtimeClasspath", folder.resolve("class-path"));
        write(project, "testCompileClasspath", folder.resolve("test-class-path"));
    }

    private static void write(Project project, String configuration, Path to) throws Exception {
        String classPath = project.getConfigurations().getByName(configuration).getFiles().stream()
                .map(File::getPath)
                .collect(Collectors.joining(File.pathSeparator));
        Files.writeString(to, classPath);
    }
}
