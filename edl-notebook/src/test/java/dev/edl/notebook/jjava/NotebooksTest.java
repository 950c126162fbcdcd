package dev.edl.notebook.jjava;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import org.junit.jupiter.api.Test;

/** Compiles the Java of every cell against the current EDL with the imports of a notebook, without running it. */
class NotebooksTest {
    /** Imports that JJava's kernel adds by itself. */
    private static final String KERNEL = "import java.io.*; import java.math.*; import java.net.*; import java.util.*;"
            + " import java.util.concurrent.*; import java.util.prefs.*; import java.util.regex.*;";

    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    @Test
    void every_cell_compiles() throws IOException {
        List<Notebook> notebooks = Notebook.all();
        assertThat(notebooks)
                .extracting(Notebook::name)
                .contains(
                        "cluster.ipynb",
                        "compose.ipynb",
                        "operators.ipynb",
                        "processes.ipynb",
                        "test.ipynb",
                        "train.ipynb");
        assertThat(notebooks)
                .allSatisfy(notebook -> assertThat(notebook.cells())
                        .filteredOn(cell -> !cell.isBlank())
                        .hasSizeGreaterThan(1));
        assertThat(notebooks.parallelStream()
                        .flatMap(notebook ->
                                mistakes(notebook.cells()).stream().map(mistake -> notebook.name() + ": " + mistake))
                        .toList())
                .isEmpty();
    }

    @Test
    void every_notebook_begins_with_the_line_that_brings_edl() throws IOException {
        assertThat(Notebook.all())
                .allSatisfy(notebook ->
                        assertThat(notebook.magics()).first().asString().startsWith("%maven dev.edl:edl-notebook:"));
    }

    @Test
    void a_cell_with_an_unknown_call_or_incomplete_code_is_found() {
        List<String> found =
                mistakes(List.of("Job job = Job.builder().workers(1).build();\njob", "job.plann()", "int x = (5"));
        assertThat(found).hasSize(2);
        assertThat(found.get(0)).startsWith("job.plann(): cannot find symbol");
        assertThat(found.get(1)).isEqualTo("int x = (5: reached end of file while parsing");
    }

    /** Returns a line for each snippet that does not compile. */
    private static List<String> mistakes(List<String> cells) {
        List<String> mistakes = new ArrayList<>();
        try (JShell shell = JShell.builder()
                .executionEngine(new NothingRuns(), null)
                .compilerOptions("-proc:none", "-cp", CLASS_PATH)
                .build()) {
            compile(shell, KERNEL, mistakes);
            RecordedKernel.imports().forEach(imports -> compile(shell, imports, mistakes));
            cells.forEach(cell -> compile(shell, cell, mistakes));
        }
        return mistakes;
    }

    private static void compile(JShell shell, String cell, List<String> mistakes) {
        String rest = cell;
        while (!rest.isBlank()) {
            SourceCodeAnalysis.CompletionInfo next = shell.sourceCodeAnalysis().analyzeCompletion(rest);
            boolean whole = next.completeness().isComplete();
            for (SnippetEvent event : shell.eval(whole ? next.source() : rest)) {
                if (event.status() != Snippet.Status.VALID && event.causeSnippet() == null) {
                    shell.diagnostics(event.snippet())
                            .forEach(found -> mistakes.add(
                                    event.snippet().source().strip() + ": " + found.getMessage(Locale.ROOT)));
                }
            }
            rest = whole ? next.remaining() : "";
        }
    }
}
