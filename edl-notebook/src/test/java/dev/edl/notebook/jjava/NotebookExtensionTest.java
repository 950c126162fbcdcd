package dev.edl.notebook.jjava;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.k8s.preflight.PreflightReport;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.kinds.CustomResources;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.testkit.PlanDiff;
import dev.edl.testkit.cluster.SimulatedCluster;
import dev.edl.testkit.cluster.SimulatedJob;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import org.dflib.jjava.jupyter.Extension;
import org.dflib.jjava.jupyter.kernel.display.DisplayData;
import org.dflib.jjava.jupyter.kernel.display.Renderer;
import org.dflib.jjava.jupyter.kernel.display.mime.MIMEType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NotebookExtensionTest {
    private final Renderer renderer = new Renderer();
    private final List<String> evaluated = new ArrayList<>();

    private static Job job() {
        return Job.builder()
                .name("mnist")
                .image("registry.example/acme/mnist:1")
                .ps(1)
                .workers(2)
                .build();
    }

    private String html(Object value) {
        DisplayData shown = renderer.render(value);
        assertThat(shown.getData(MIMEType.TEXT_PLAIN)).isEqualTo(String.valueOf(value));
        return String.valueOf(shown.getData(MIMEType.TEXT_HTML));
    }

    private void install() {
        new NotebookExtension().install(new RecordedKernel(renderer, evaluated::add));
    }

    @Test
    void a_kernel_finds_it() {
        assertThat(ServiceLoader.load(Extension.class))
                .hasOnlyElementsOfTypes(NotebookExtension.class)
                .hasSize(1);
    }

    @Test
    void values_are_shown_as_tables_and_pictures_beside_their_text() {
        install();

        assertThat(html(job())).contains("<table>");
        assertThat(html(job().explain())).contains("<table>");
        assertThat(html(job().plan())).contains("<table>");
        assertThat(html(job().plan().replica("worker", 1))).contains("<table>");
        assertThat(html(PodTemplates.of(job().plan()).get("worker", 1))).contains("<pre>");
        try (SimulatedCluster cluster = SimulatedCluster.ofNodes(1, "cpu=8")) {
            SimulatedJob run = cluster.submit(job());
            assertThat(html(cluster)).contains("<img src=");
            assertThat(html(run)).contains("Running");
            assertThat(html(run.status())).contains("Running");
            assertThat(html(run.events())).contains("<td").contains("REPLICA_CREATED");
        }
    }

    @Test
    void losses_differences_and_preflight_problems_are_tables() {
        install();

        ResourceWriteResult result = KubeflowTfJobs.write(Job.builder()
                .name("mnist")
                .tensorflow()
                .image("registry.example/acme/mnist:1")
                .workers(2)
                .build());
        assertThat(html(CustomResources.read(result.toYaml()))).contains("<table>");
        assertThat(html(result)).contains("kind: TFJob");
        assertThat(html(result.resource())).contains("kind: TFJob");
        assertThat(html(PlanDiff.of(
                        job().plan(), job().toBuilder().workers(3).build().plan())))
                .contains("<pre>");
        assertThat(html(new PreflightReport("mnist", "default", List.of()))).contains("0 errors");
    }

    @Test
    void a_live_cell_is_one_output_that_is_replaced() throws InterruptedException {
        RecordedKernel kernel = new RecordedKernel(renderer, evaluated::add);
        KernelDisplay display = new KernelDisplay(kernel);
        display.show("<p>half</p>", "half");
        display.show("<p>whole</p>", "whole");

        // Updates do not go through the kernel's own hook.
        assertThat(kernel.shown()).hasSize(1);
        assertThat(kernel.shown().get(0).getDisplayId()).isNotEmpty();
        assertThat(kernel.shown().get(0).getData(MIMEType.TEXT_HTML)).isEqualTo("<p>half</p>");
        assertThat(kernel.shown().get(0).getData(MIMEType.TEXT_PLAIN)).isEqualTo("half");
    }

    @Test
    void an_interrupt_while_something_is_shown_is_not_lost() {
        KernelDisplay display = new KernelDisplay(new RecordedKernel(renderer, evaluated::add));
        Thread.currentThread().interrupt();
        boolean interrupted;
        try {
            display.show("<p>half</p>", "half");
            // The output came before this thread could wait for it.
            interrupted = Thread.interrupted();
        } catch (InterruptedException e) {
            interrupted = true;
        }

        assertThat(interrupted).isTrue();
    }

    @Test
    void other_values_stay_as_they_are() {
        install();

        assertThat(renderer.render(List.of(1)).hasDataForType(MIMEType.TEXT_HTML))
                .isFalse();
    }

    @Test
    void it_imports_what_cells_use() {
        install();

        assertThat(String.join("\n", evaluated))
                .contains(
                        "import dev.edl.*;", "import dev.edl.runtime.*;", "import static dev.edl.spec.Priority.HIGH;");
    }

    @Test
    void every_import_is_one_that_a_shell_takes() {
        install();
        assertThat(evaluated).isNotEmpty();
        assertThat(refused(String.join(" ", evaluated))).isEmpty();
    }

    @Test
    void the_script_for_jshell_is_one_for_the_kernel_as_well() throws IOException {
        String path = "edl-examples/src/main/jshell/edl.jsh";
        String script = Files.readString(Path.of(Files.exists(Path.of("src")) ? "../" + path : path));

        // The kernel evaluates the file as one text, in which a line end does not end a statement.
        assertThat(script.lines().filter(line -> !line.startsWith("//"))).allMatch(line -> line.endsWith(";"));
        assertThat(script).contains("import java.nio.file.*;", "import java.util.stream.*;");
        assertThat(refused(script.replaceAll("(?m)^//.*\\n", "").replace("\n", " ")))
                .isEmpty();
    }

    private static List<String> refused(String statements) {
        List<String> refused = new ArrayList<>();
        try (JShell shell = JShell.builder().executionEngine("local").build()) {
            String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            List.of(path.split(File.pathSeparator)).forEach(shell::addToClasspath);
            for (String statement : statements.split("(?<=;) *")) {
                for (SnippetEvent event : shell.eval(statement)) {
                    if (event.status() != Snippet.Status.VALID) {
                        refused.add(statement);
                    }
                }
            }
        }
        return refused;
    }

    @Test
    void a_refused_import_does_not_stop_the_others() {
        new NotebookExtension().install(new RecordedKernel(renderer, code -> {
            if (code.contains("dev.edl.k8s")) {
                throw new IllegalStateException("package dev.edl.k8s does not exist");
            }
            evaluated.add(code);
        }));

        assertThat(String.join("\n", evaluated))
                .contains("import dev.edl.runtime.*;")
                .doesNotContain("k8s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"dev.edl.k8s.", "io.fabric8.", "dev.edl.operators.", "dev.edl.runtime.", "dev.edl.testkit."})
    void a_module_that_is_missing_takes_no_other_along(String missing) throws Exception {
        ClassLoader without = new Without(missing);
        Extension extension = (Extension) without.loadClass(NotebookExtension.class.getName())
                .getDeclaredConstructor()
                .newInstance();
        extension.install(new RecordedKernel(renderer, evaluated::add));

        assertThat(html(job())).contains("<table>");
        assertThat(evaluated).isNotEmpty();
    }

    /** Loads the extension and its pages again without the classes whose names begin with a prefix. */
    private static final class Without extends ClassLoader {
        private final String missing;

        private Without(String missing) {
            super(NotebookExtensionTest.class.getClassLoader());
            this.missing = missing;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith(missing)) {
                throw new ClassNotFoundException(name);
            }
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null || !name.startsWith("dev.edl.notebook.")) {
                return loaded != null ? loaded : super.loadClass(name, resolve);
            }
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] code = Objects.requireNonNull(in, name).readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
