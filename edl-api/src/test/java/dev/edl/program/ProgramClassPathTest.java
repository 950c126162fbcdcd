package dev.edl.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramClassPathTest {
    private static final String NAME = "dev.edl.program.ProgramClassPathTest$Hello";

    @TempDir
    Path folder;

    /** A program. */
    public static final class Hello {
        private Hello() {}

        public static void main(String[] args) {}
    }

    /** Inherits the {@code main} of another program, which the JVM allows. */
    public static class Base {
        public static void main(String[] args) {}
    }

    static final class Derived extends Base {}

    /** A {@code main} that Java 17 does not start. */
    public static final class InstanceMain {
        @SuppressWarnings("IncorrectMainMethod")
        public void main(String[] args) {}
    }

    @Test
    void a_class_of_this_jvm_has_the_jvms_class_path_and_options() {
        ProgramClassPath program = ProgramClassPath.of(Hello.class);

        assertThat(program.mainClass()).isEqualTo(NAME);
        assertThat(program.entries())
                .doesNotHaveDuplicates()
                .allSatisfy(
                        entry -> assertThat(entry).isAbsolute().isNormalized().exists());
        assertThat(program.options()).allMatch(option -> option.startsWith("--"));
        assertThat(ProgramClassPath.of(Derived.class).entries()).isEqualTo(program.entries());
    }

    @Test
    void entries_keep_their_order_and_missing_ones_are_left_out() throws IOException {
        Path classes = classes("classes");
        Path other = Files.createDirectories(folder.resolve("other"));
        Path missing = folder.resolve("missing.jar");

        assertThat(of(other, missing, folder.resolve("x/../classes"), other).entries())
                .containsExactly(other, classes);
    }

    @Test
    void an_empty_entry_is_the_current_folder() throws IOException {
        Path classes = classes("classes");

        assertThat(of(classes, "").entries())
                .containsExactly(classes, Path.of("").toAbsolutePath().normalize());
    }

    @Test
    void programs_without_a_class_path_of_their_own_get_advice() {
        assertThat(ProgramClassPath.advice("com.sun.tools.javac.launcher.Main$MemoryClassLoader", "acme.Mnist"))
                .hasValue(
                        "; java runs its source file, so compile it first: javac -d classes FILE.java && java -cp classes"
                                + " acme.Mnist");
        assertThat(ProgramClassPath.advice(
                        "org.codehaus.mojo.exec.URLClassLoaderBuilder$ExecJavaClassLoader", "acme.Mnist"))
                .hasValue("; exec:java runs it inside Maven, so start a JVM of its own: mvn exec:exec"
                        + " -Dexec.executable=java -Dexec.args=\"-cp %classpath acme.Mnist\"");
        assertThat(ProgramClassPath.advice("java.net.URLClassLoader", "acme.Mnist"))
                .isEmpty();
    }

    @Test
    void a_source_file_that_java_runs_is_named_with_the_commands(@TempDir Path sources) throws Exception {
        Path source = Files.writeString(sources.resolve("Hi.java"), """
                public class Hi {
                    public static void main(String[] args) {
                        try {
                            System.out.println(dev.edl.program.ProgramClassPath.of(Hi.class));
                        } catch (IllegalArgumentException e) {
                            System.out.println(e.getMessage());
                        }
                    }
                }
                """);
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("is not on the class path; java runs its source file, so compile it first: javac");
        } finally {
            java.destroyForcibly();
        }
    }

    @Test
    void the_manifest_of_a_jar_is_followed_once_and_in_order() throws IOException {
        Path classes = classes("my classes");
        Path last = Files.createDirectories(folder.resolve("last"));
        Path inner = jar("lib/inner.jar", "../pathing.jar ../my%20classes/ http://files.example/x.jar %zz gone.jar");
        Path absolute = jar("absolute.jar", "");
        Path pathing = jar("pathing.jar", "lib/inner.jar " + absolute.toUri() + " lib/inner.jar");

        assertThat(of(pathing, last).entries()).containsExactly(pathing, inner, classes, absolute, last);
    }

    @Test
    void a_file_that_is_no_jar_names_no_further_entries() throws IOException {
        Path classes = classes("classes");
        Path text = Files.writeString(folder.resolve("notes.jar"), "no jar");

        assertThat(of(text, classes).entries()).containsExactly(text, classes);
    }

    @Test
    void the_command_has_inherited_options_before_further_ones() throws IOException {
        Path classes = classes("classes");
        Path other = Files.createDirectories(folder.resolve("other"));

        assertThat(of(classes, other).command("-Xmx64m"))
                .containsExactly(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-Xmx64m",
                        "-cp",
                        classes + File.pathSeparator + other,
                        NAME);
    }

    @Test
    void an_option_of_a_notebooks_kernel_is_not_the_programs() throws IOException {
        List<String> options =
                List.of("--add-opens=jdk.jshell/jdk.jshell=ALL-UNNAMED", "--add-modules=java.sql", "--add-opens=a/b=c");

        assertThat(ProgramClassPath.of(Hello.class, classes("classes").toString(), options, folder)
                        .options())
                .containsExactly("--add-modules=java.sql", "--add-opens=a/b=c");
    }

    @Test
    void a_class_without_main_is_refused() {
        for (Class<?> type : List.of(ProgramClassPathTest.class, InstanceMain.class)) {
            assertThatThrownBy(() -> ProgramClassPath.of(type))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("program: class " + type.getName() + " has no public static void main(String[]);"
                            + " valid: a class of the class path with public static void main(String[] args)");
        }
    }

    @Test
    void a_class_of_a_module_is_refused() {
        assertThatThrownBy(() -> ProgramClassPath.of(String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("program: class java.lang.String belongs to module java.base; valid: a class");
    }

    @Test
    void a_class_outside_the_class_path_is_refused() throws Exception {
        Path classes = classes("classes");
        Path empty = Files.createDirectories(folder.resolve("empty"));
        try (URLClassLoader loader =
                new URLClassLoader("own", new URL[] {classes.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            Class<?> own = loader.loadClass(NAME);

            assertThatThrownBy(() -> ProgramClassPath.of(own, empty.toString(), List.of(), folder))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("program: class " + NAME + " of class loader " + loader + " is not on the class path;"
                            + " valid: a class of the class path with public static void main(String[] args)");
        }
    }

    private static ProgramClassPath of(Object... entries) {
        String classPath = String.join(
                File.pathSeparator,
                List.of(entries).stream().map(Object::toString).toList());
        return ProgramClassPath.of(
                Hello.class, classPath, List.of("--add-opens=java.base/java.lang=ALL-UNNAMED"), Path.of("unused"));
    }

    /** Returns a directory with the class of the program. */
    private Path classes(String name) throws IOException {
        String resource = NAME.replace('.', '/') + ".class";
        Path file = folder.resolve(name).resolve(resource);
        Files.createDirectories(file.getParent());
        try (InputStream in = ProgramClassPathTest.class.getResourceAsStream("/" + resource)) {
            Files.write(file, in.readAllBytes());
        }
        return folder.resolve(name);
    }

    private Path jar(String name, String classPath) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        new JarOutputStream(Files.newOutputStream(file), manifest).close();
        return file;
    }
}
