package dev.edl.cli.zoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.cli.Edl;
import dev.edl.image.FakeRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code edl zoo build} and {@code edl zoo push}, with a registry in this JVM. */
class ImageCommandsTest {
    private static final String MAIN = "com/acme/Main.class";

    private static SSLContext tls;

    @TempDir
    Path temp;

    private final String home = System.getProperty("user.home");
    private FakeRegistry registry;
    private Path folder;

    @BeforeAll
    static void certificate(@TempDir Path folder) throws Exception {
        tls = FakeRegistry.tls(folder.resolve("store.p12"));
    }

    @BeforeEach
    void start() throws IOException {
        // The folder of layers and of credentials.
        System.setProperty("user.home", temp.resolve("home").toString());
        registry = new FakeRegistry(tls);
        registry.base("java", "17");
        folder = temp.resolve("project");
    }

    @AfterEach
    void stop() {
        registry.close();
        System.setProperty("user.home", home);
    }

    @Test
    void the_image_of_a_maven_project_becomes_an_archive() throws IOException {
        SmallProject project = SmallProject.maven(folder).jar(manifest(), MAIN);

        Edl run = Edl.run(
                "zoo",
                "build",
                "--image=registry.example/acme/mnist:1",
                "--allow-insecure-registry",
                folder.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .matches(folder + "/target/mnist-1.tar\nsha256:[0-9a-f]{64}\nnext: edl zoo push"
                        + " registry.example/acme/mnist:1 " + folder + "\n");
        assertThat(Files.readString(folder.resolve("target/mnist-1.tar"), StandardCharsets.ISO_8859_1))
                .contains("registry.example/acme/mnist:1")
                .contains("\"/app/app.jar:/app/lib-2.jar\",\"com.acme.Main\"");
        assertThat(project.args()).isEqualTo("""
                        --batch-mode
                        --quiet
                        -Dmaven.test.skip=true
                        -DincludeScope=runtime
                        -Dmdep.outputFile=FILE
                        package
                        org.apache.maven.plugins:maven-dependency-plugin:build-classpath
                        """);
    }

    @Test
    void a_gradle_project_is_built_by_an_init_script() throws IOException {
        SmallProject project = SmallProject.gradle(folder).jar(manifest(), MAIN);

        Edl run = Edl.run("zoo", "build", "--image", "acme/mnist", "--allow-insecure-registry", folder.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).startsWith(folder + "/build/mnist.tar\n");
        assertThat(project.args()).isEqualTo("""
                        --quiet
                        --console=plain
                        --init-script
                        SCRIPT
                        -Dedl.program=FILE
                        edlProgram
                        """);
        assertThat(folder.resolve("script")).hasContent(ProjectTemplate.text("program.gradle"));
    }

    @Test
    void push_prints_the_name_with_the_digest() throws IOException {
        SmallProject.maven(folder).jar(manifest(), MAIN);
        String name = registry.host() + "/acme/mnist";

        Edl run = Edl.run("zoo", "push", name + ":1", folder.toString(), "--allow-insecure-registry");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out()).matches(name + "@sha256:[0-9a-f]{64}\n");
        assertThat(registry.manifest("acme/mnist:1"))
                .isEqualTo(registry.manifest("acme/mnist@" + run.out().strip().split("@", 2)[1]));
    }

    @Test
    void a_failed_build_shows_the_tools_output() throws IOException {
        SmallProject.maven(folder).wrapper("mvnw", "echo 'Main.java:3: ; expected' >&2\nexit 7\n");

        assertThat(Edl.run("zoo", "build", "--image=acme/mnist:1", folder.toString()))
                .isEqualTo(new Edl(
                        1,
                        "",
                        "the build of " + folder + " by " + folder.resolve("mvnw")
                                + " failed: exit code 7\nMain.java:3: ; expected\n"));
    }

    @Test
    void a_jar_without_a_main_class_is_refused() throws IOException {
        SmallProject project = SmallProject.maven(folder).jar("", MAIN);
        assertThat(push())
                .isEqualTo(folder + "/target must have one jar whose manifest names a Main-Class, had none; for example"
                        + " <mainClass>com.acme.mnist.Main</mainClass> of maven-jar-plugin; mvn clean"
                        + " removes old jars\n");

        project.jar(manifest(), "com/acme/Other.class");
        assertThat(push())
                .isEqualTo(
                        "the manifest of " + folder + "/target/app.jar must name a class of the jar as Main-Class, was"
                                + " \"com.acme.Main\"; for example com.acme.mnist.Main\n");

        Files.copy(folder.resolve("target/app.jar"), folder.resolve("target/old.jar"));
        assertThat(push()).contains("had [" + folder + "/target/app.jar, " + folder + "/target/old.jar]; ");
    }

    @Test
    void wrong_names_and_folders_are_quoted_before_a_build() throws IOException {
        Files.createDirectories(folder);

        assertThat(push())
                .isEqualTo("PATH must be a folder with pom.xml, build.gradle.kts or build.gradle, was \"" + folder
                        + "\"; edl zoo init PATH creates one\n");
        assertThat(Edl.run("zoo", "push", "registry.example/Acme").err())
                .contains("was \"registry.example/Acme\"; for example registry.example");
        assertThat(Edl.run("zoo", "build", "--image", "Acme", folder.toString()).err())
                .contains("was \"Acme\"; for example registry.example");
        assertThat(Edl.run("zoo", "build", folder.toString()).err()).isEqualTo("""
                        Missing required option: '--image=NAME'; for example --image registry.example/acme/mnist:1
                        edl zoo build --help lists the flags.
                        """);
    }

    private String push() {
        return Edl.run("zoo", "push", "acme/mnist:1", folder.toString()).err();
    }

    private String manifest() {
        return "Main-Class: com.acme.Main\nEdl-Base-Image: " + registry.host() + "/java:17\n";
    }
}
