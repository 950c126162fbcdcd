package dev.edl.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.execution.LoaderDelegate;
import jdk.jshell.execution.LocalExecutionControl;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that are classes of a JShell session. */
class SessionClassesJarTest {
    private static final String KEY = "dev.edl.program.session";

    private JShell shell = JShell.builder().executionEngine("local").build();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        shell.close();
    }

    @Test
    void the_program_runs_in_another_process_with_what_it_uses_of_other_cells() throws Exception {
        Path data = Files.createDirectories(folder.resolve("added"));
        Files.writeString(data.resolve("greeting.txt"), "hello");
        shell.addToClasspath(data.toString());
        eval("record Pair(int a, Color color) { int twice() { return 2 * a; } }");
        eval("enum Color { RED { int n() { return 1; } }; abstract int n(); }");
        eval("interface Unused { }");
        eval("int plus(int a) { return a + 1; }");
        Class<?> program = define("""
                class Mnist {
                  static class Text { static String of(Object o) { return "<" + o + ">"; } }
                  public static void main(String[] args) throws Exception {
                    java.util.function.IntUnaryOperator f = a -> plus(new Pair(a, Color.RED).twice());
                    byte[] added = Mnist.class.getResourceAsStream("/greeting.txt").readAllBytes();
                    System.out.print(Text.of(f.applyAsInt(4)) + new Pair(3, Color.RED) + args[0] + new String(added));
                  }
                }\
                """, "Mnist");

        ProgramClassPath path = of(program);

        assertThat(path.entries().get(0)).hasParent(folder.resolve("cache"));
        assertThat(path.entries()).endsWith(data);
        try (JarFile jar = new JarFile(path.entries().get(0).toFile())) {
            assertThat(jar.stream()
                            .filter(entry -> !entry.isDirectory())
                            .map(JarEntry::getName)
                            // Local execution of newer JDKs adds this class.
                            .filter(entry -> !entry.equals("REPL/$Cancel$.class"))
                            .map(entry -> entry.replaceAll("REPL/\\$JShell\\$\\w+", "")))
                    .containsExactlyInAnyOrder(
                            ".class",
                            ".class",
                            ".class",
                            ".class",
                            "$Pair.class",
                            "$Color.class",
                            "$Color$1.class",
                            "$Mnist.class",
                            "$Mnist$Text.class");
        }
        List<String> command = new ArrayList<>(List.of(path.command("-XX:TieredStopAtLevel=1")));
        command.add("!");
        assertThat(output(command)).isEqualTo("<9>Pair[a=3, color=RED]!hello");
    }

    @Test
    void the_program_runs_in_another_process_if_its_loader_has_no_resources_as_in_a_notebook() throws Exception {
        shell.close();
        shell = JShell.builder().executionEngine(new Kernel(), Map.of()).build();
        Path data = Files.createDirectories(folder.resolve("added"));
        Files.writeString(data.resolve("greeting.txt"), "hello");
        shell.addToClasspath(data.toString());
        eval("record Pair(int a, int b) { }");
        eval("int plus(int a) { return a + 1; }");
        Class<?> program = define("""
                class Mnist {
                  public static void main(String[] args) throws Exception {
                    byte[] added = Mnist.class.getResourceAsStream("/greeting.txt").readAllBytes();
                    System.out.print(new Pair(plus(4), 3) + new String(added));
                  }
                }\
                """, "Mnist");
        assertThat(program.getResourceAsStream("/" + program.getName().replace('.', '/') + ".class"))
                .isNull();

        ProgramClassPath path = of(program);

        assertThat(path.entries()).hasSize(2).endsWith(data);
        assertThat(output(List.of(path.command("-XX:TieredStopAtLevel=1")))).isEqualTo("Pair[a=5, b=3]hello");
    }

    @Test
    void the_same_classes_give_the_same_jar() throws Exception {
        Class<?> program = define("class A { public static void main(String[] args) {} }", "A");
        Path jar = of(program).entries().get(0);
        byte[] bytes = Files.readAllBytes(jar);
        Files.delete(jar);

        assertThat(of(program).entries().get(0)).isEqualTo(jar).hasBinaryContent(bytes);
        assertThat(of(program).entries().get(0)).isEqualTo(jar);
        try (Stream<Path> files = Files.list(folder.resolve("cache"))) {
            assertThat(files).containsExactly(jar);
        }
    }

    @Test
    void a_variable_of_the_session_is_refused_by_its_name() {
        eval("int rate = 5;");
        Class<?> program =
                define("class B { public static void main(String[] args) { System.out.println(rate); } }", "B");

        assertThatThrownBy(() -> of(program))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("program: class B uses variable rate of the session, which other processes do not have;"
                        + " valid: an argument of main, or a constant in the class: static final ... rate = ...");
    }

    @Test
    void a_variable_that_a_method_of_another_cell_sets_is_refused() {
        eval("int count = 0;");
        eval("void increment() { count++; }");
        Class<?> program = define("class C { public static void main(String[] args) { increment(); } }", "C");

        assertThatThrownBy(() -> of(program))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("program: method increment uses variable count of the session");
    }

    @Test
    void an_assertion_in_a_method_is_no_variable() {
        eval("int checked(int a) { assert a > 0; return a; }");
        Class<?> program = define("class D { public static void main(String[] args) { checked(1); } }", "D");

        assertThat(of(program).mainClass()).isEqualTo(program.getName());
    }

    @Test
    void a_class_that_waits_for_a_declaration_is_refused_by_its_name() throws Exception {
        String source = "class E { public static void main(String[] args) { System.out.print(later()); } }";
        Class<?> incomplete = define(source, "E");

        assertThatThrownBy(() -> of(incomplete))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("program: class E uses a name that the session has not declared; valid: run the cell or"
                        + " snippet that declares it, then pass the class again");

        eval("int later() { return 7; }");
        Class<?> complete = define("", "E");

        assertThat(output(List.of(of(complete).command("-XX:TieredStopAtLevel=1"))))
                .isEqualTo("7");
    }

    @Test
    void a_class_or_method_of_another_cell_that_waits_for_a_declaration_is_refused_by_its_name() {
        eval("class Model { static int size() { return Later.SIZE; } }");
        eval("int rows() { return Later.ROWS; }");
        Class<?> first = define("class F { public static void main(String[] args) { Model.size(); } }", "F");
        Class<?> second = define("class G { public static void main(String[] args) { rows(); } }", "G");

        assertThatThrownBy(() -> of(first))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("program: class Model uses a name that the session has not declared; valid:");
        assertThatThrownBy(() -> of(second))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("program: method rows uses a name that the session has not declared; valid:");
    }

    private ProgramClassPath of(Class<?> program) {
        return ProgramClassPath.of(program, "", List.of(), folder.resolve("cache"));
    }

    private Class<?> define(String source, String name) {
        eval(source);
        eval("System.getProperties().put(\"" + KEY + "\", " + name + ".class)");
        return (Class<?>) System.getProperties().remove(KEY);
    }

    private void eval(String source) {
        for (SnippetEvent event : shell.eval(source)) {
            assertThat(event.exception()).as(source).isNull();
            assertThat(event.status())
                    .as(source)
                    .isIn(
                            Snippet.Status.VALID,
                            Snippet.Status.RECOVERABLE_DEFINED,
                            Snippet.Status.RECOVERABLE_NOT_DEFINED);
        }
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream in = process.getInputStream()) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return text;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Runs snippets as JJava's kernel does: the class loader has no resources, and its owner has the class files. */
    private static final class Kernel implements ExecutionControlProvider {
        @Override
        public String name() {
            return "kernel";
        }

        @Override
        public ExecutionControl generate(ExecutionEnv env, Map<String, String> parameters) {
            return new LocalExecutionControl(new Delegate());
        }
    }

    private static final class Delegate implements LoaderDelegate {
        private final Map<String, byte[]> declared = new ConcurrentHashMap<>();
        private final Loader loader = new Loader();

        @Override
        public void load(ExecutionControl.ClassBytecodes[] classes) {
            for (ExecutionControl.ClassBytecodes code : classes) {
                declared.put(code.name(), code.bytecodes());
            }
        }

        @Override
        public void classesRedefined(ExecutionControl.ClassBytecodes[] classes) {
            load(classes);
        }

        @Override
        public void addToClasspath(String path) {
            try {
                loader.addURL(Path.of(path).toUri().toURL());
            } catch (MalformedURLException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Class<?> findClass(String name) throws ClassNotFoundException {
            return loader.loadClass(name);
        }

        private final class Loader extends URLClassLoader {
            Loader() {
                super(new URL[0]);
            }

            @Override
            protected void addURL(URL url) {
                super.addURL(url);
            }

            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                byte[] code = declared.get(name);
                return code == null ? super.findClass(name) : defineClass(name, code, 0, code.length);
            }
        }
    }
}
