package dev.edl.cli.zoo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.cli.Edl;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooInitCommandTest {
    private static final Pattern PLUGIN =
            Pattern.compile("<artifactId>(maven-[a-z]+-plugin)</artifactId>\\s*<version>([^<]+)</version>");

    @TempDir
    Path temp;

    @Test
    void a_project_has_files_of_both_tools() throws IOException {
        Path folder = temp.resolve("mnist");

        Edl run = Edl.run("zoo", "init", "--package", "com.acme.mnist", folder.toString());

        assertThat(run).isEqualTo(new Edl(0, """
                DIR/README.md
                DIR/.gitignore
                DIR/pom.xml
                DIR/settings.gradle.kts
                DIR/build.gradle.kts
                DIR/src/main/java/com/acme/mnist/Main.java
                DIR/src/main/java/com/acme/mnist/PointsJob.java
                DIR/src/main/java/com/acme/mnist/PointsTraining.java
                DIR/src/test/java/com/acme/mnist/PointsJobTest.java
                DIR/src/test/java/com/acme/mnist/PointsTrainingTest.java
                DIR/src/test/resources/com/acme/mnist/PointsJobTest.the_plan_is_as_approved.yaml
                next: cd DIR && mvn verify && java -jar target/mnist.jar
                """.replace("DIR", folder.toString()), ""));
        assertThat(files(folder))
                .hasSize(11)
                .allSatisfy(file -> assertThat(file).content().doesNotContain("{{", "${project.version}"));
        assertThat(folder.resolve("pom.xml"))
                .content()
                .contains("<groupId>com.acme</groupId>", "<artifactId>mnist</artifactId>", "<Edl-Base-Image></");
    }

    @Test
    void one_tool_and_a_base_image_are_chosen() {
        Edl maven = Edl.run("zoo", "init", "--build=maven", "--base_image=java:17", temp.resolve("m") + "");
        Edl gradle = Edl.run("zoo", "init", "--build=gradle", "--base_image", "java:17", temp.resolve("g") + "");

        assertThat(maven.out()).contains("pom.xml").doesNotContain("gradle");
        assertThat(gradle.out())
                .contains("build.gradle.kts")
                .doesNotContain("pom.xml")
                .endsWith("next: cd " + temp.resolve("g") + " && gradle build run\n");
        assertThat(temp.resolve("m/pom.xml")).content().contains("<Edl-Base-Image>java:17</Edl-Base-Image>");
        assertThat(temp.resolve("m/README.md")).content().contains("mvn verify").doesNotContain("gradle");
        assertThat(temp.resolve("g/README.md"))
                .content()
                .contains("gradle build")
                .doesNotContain("mvn");
        assertThat(temp.resolve("g/build.gradle.kts")).content().contains("\"Edl-Base-Image\" to \"java:17\"");
    }

    @Test
    void a_folder_with_files_is_refused_and_unchanged() throws IOException {
        Files.writeString(temp.resolve("notes"), "mine");

        assertThat(Edl.run("zoo", "init", temp.toString()))
                .isEqualTo(new Edl(
                        1,
                        "",
                        "PATH must be an empty folder, but " + temp + " has notes; for example edl zoo init mnist\n"));
        assertThat(Edl.run("zoo", "init", temp.resolve("notes").toString()).err())
                .isEqualTo("PATH must be an empty folder, but " + temp.resolve("notes")
                        + " is a file; for example edl zoo init mnist\n");
        assertThat(files(temp)).containsExactly(temp.resolve("notes"));
    }

    @Test
    void wrong_names_are_quoted() {
        String path = temp.resolve("new").toString();

        assertThat(Stream.of("mnist", "com.acme.Mnist", "com.acme.class", "com/acme/mnist")
                        .map(name ->
                                Edl.run("zoo", "init", "--package", name, path).err()))
                .containsExactly(
                        refused("mnist"),
                        refused("com.acme.Mnist"),
                        refused("com.acme.class"),
                        refused("com/acme/mnist"));
        assertThat(Edl.run("zoo", "init", "--package", "com.acme.mnist_", path).err())
                .contains("\"mnist-\"");
        assertThat(Edl.run("zoo", "init", "--base_image", "!", path).err())
                .isEqualTo("--base_image: the base must be the name of an image, was \"!\"; for example"
                        + " eclipse-temurin:17-jre\n");
        assertThat(Path.of(path)).doesNotExist();
    }

    @Test
    void help_fits_a_terminal_of_80_columns_and_24_lines() {
        assertThat(Stream.of("--help", "init --help", "build --help", "push --help")
                        .map(flags -> Edl.run(("zoo " + flags).split(" ")).out()))
                .allSatisfy(help -> assertThat(help.lines())
                        .hasSizeLessThanOrEqualTo(24)
                        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80)));
    }

    private static String refused(String name) {
        return "--package must be a Java package of two or more words in lower case, was \"" + name
                + "\"; for example com.acme.mnist\n";
    }

    @Test
    void the_project_compiles_and_its_plan_is_the_golden_one() throws Exception {
        assertThat(Edl.run("zoo", "init", "--package=com.acme.my_net", temp.resolve("p") + "")
                        .code())
                .isZero();
        Path project = temp.resolve("p");
        Path classes = compiled(project);
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> tests = loader.loadClass("com.acme.my_net.PointsJobTest");
            List<String> ran = new ArrayList<>();
            for (Method method : tests.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    Constructor<?> constructor = tests.getDeclaredConstructor();
                    constructor.setAccessible(true);
                    method.setAccessible(true);
                    runAlone(MethodHandles.lookup().unreflect(method).bindTo(constructor.newInstance()));
                    ran.add(method.getName());
                }
            }

            assertThat(ran)
                    .containsExactlyInAnyOrder(
                            "the_job_is_as_it_was_asked_for",
                            "the_plan_is_as_approved",
                            "a_deleted_worker_is_replaced");
        }
    }

    /** Runs a test on a stack without a class of this module, so that its golden file belongs to the project. */
    private static void runAlone(MethodHandle test) throws Exception {
        FutureTask<Void> task = new FutureTask<>(MethodHandleProxies.asInterfaceInstance(Runnable.class, test), null);
        Thread thread = new Thread(task, "test of the project");
        thread.start();
        task.get(2, TimeUnit.MINUTES);
    }

    /** A build without a network finds the plugins that EDL's own build has. */
    @Test
    void the_projects_plugins_are_those_of_edl() throws IOException {
        Path parent = Path.of(Files.exists(Path.of("edl-cli")) ? "pom.xml" : "../pom.xml");
        Matcher plugins = PLUGIN.matcher(ProjectTemplate.text("pom.xml"));
        List<String> named = new ArrayList<>();
        while (plugins.find()) {
            named.add(plugins.group(1) + ":" + plugins.group(2));
        }
        Matcher own = PLUGIN.matcher(Files.readString(parent));
        List<String> known = new ArrayList<>();
        while (own.find()) {
            known.add(own.group(1) + ":" + own.group(2));
        }

        assertThat(named).hasSize(5).isSubsetOf(known);
    }

    private static Path compiled(Path project) throws IOException {
        Path classes = Files.createDirectories(project.resolve("target/test-classes"));
        List<String> args = new ArrayList<>(List.of(
                "-Xlint:all",
                "-Xlint:-path",
                "-Xlint:-processing",
                "-Xlint:-try",
                "-Werror",
                "-proc:none",
                "-d",
                classes.toString(),
                "-classpath",
                System.getProperty("java.class.path")));
        files(project).stream()
                .map(Path::toString)
                .filter(file -> file.endsWith(".java"))
                .forEach(args::add);
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, args.toArray(String[]::new)))
                .isZero();
        return classes;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            return tree.filter(Files::isRegularFile).toList();
        }
    }
}
