package dev.edl.examples.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.runtime.Training;
import dev.edl.runtime.data.csv.CsvTable;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java in docs/models.md about trained models is compiled, and run on flowers. */
class ModelsPageTest {
    private static final Pattern ON_PAGE =
            Pattern.compile("<!-- region: (\\S+) -->\\s*```java\\n(.*?)```\\s*<!-- end -->", Pattern.DOTALL);
    private static final Pattern IN_SOURCE = Pattern.compile("// region: (\\S+)\\n(.*?)// end\\n", Pattern.DOTALL);

    @TempDir
    Path folder;

    /** Modules are built in their own directory, or in that of the project. */
    private static String read(String inModule, String inProject) throws IOException {
        return Files.readString(Path.of(Files.exists(Path.of("src")) ? inModule : inProject));
    }

    /** Blocks without their blanks, since the formatter breaks lines where a page does not. */
    private static Map<String, String> blocks(Pattern pattern, String text) {
        Map<String, String> found = new LinkedHashMap<>();
        Matcher matcher = pattern.matcher(text.replace("\r\n", "\n"));
        while (matcher.find()) {
            found.put(matcher.group(1), matcher.group(2).replaceAll("\\s", ""));
        }
        return found;
    }

    @Test
    void the_blocks_of_the_page_are_the_regions_that_are_compiled() throws IOException {
        String path = "src/test/java/dev/edl/examples/models/ModelsPageExamples.java";
        Map<String, String> compiled = blocks(IN_SOURCE, read(path, "edl-examples/" + path));
        assertThat(compiled).containsOnlyKeys("ask", "onnx", "train-on", "jobs");
        assertThat(blocks(ON_PAGE, read("../docs/models.md", "docs/models.md"))).isEqualTo(compiled);
    }

    /** Three kinds of flowers around the means of Fisher's; the first kind is far from the others. */
    private Path flowers() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        double[][] means = {{5.0, 3.4, 1.5, 0.2}, {5.9, 2.8, 4.3, 1.3}, {6.6, 3.0, 5.6, 2.0}};
        String[] names = {"setosa", "versicolor", "virginica"};
        StringBuilder text = new StringBuilder("sepal_length,sepal_width,petal_length,petal_width,species\n");
        for (int row = 0; row < 150; row++) {
            for (double mean : means[row % 3]) {
                text.append(mean + random.nextDouble(-0.3, 0.3)).append(',');
            }
            text.append(names[row % 3]).append('\n');
        }
        return Files.writeString(folder.resolve("iris.csv"), text);
    }

    @Test
    void the_blocks_of_the_page_run() throws Exception {
        Path csv = flowers();
        Path npz = folder.resolve("model.npz");
        Job job =
                Job.builder().name("iris").elasticdl().master().ps(1).workers(2).build();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

        ModelsPageExamples.ask(job, csv, npz, out);
        Path onnx = folder.resolve("model.onnx");
        byte[] raw = ModelsPageExamples.onnx(
                npz, onnx, CsvTable.read(csv).dataset().split(0.25, 42).standardization());
        assertThat(raw.length).isGreaterThan((int) Files.size(onnx));
        Path next = folder.resolve("next.onnx");
        Training training = ModelsPageExamples.trainOn(
                onnx,
                CsvTable.read(csv).dataset().split(0.25, 42).standardized().train(),
                next);
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            assertThat(run.awaitResult(Duration.ofMinutes(5)).exactlyOnce()).isTrue();
        }
        assertThat(next).isRegularFile();
        ModelsPageExamples.jobs(
                job,
                npz,
                CsvTable.read(csv).dataset().split(0.25, 42).standardized().test(),
                folder.resolve("out.npy"),
                out);

        String[] lines = bytes.toString(StandardCharsets.UTF_8).split("\\R");
        assertThat(lines[0]).startsWith("setosa with probability 0.");
        assertThat(lines[1]).isEqualTo("2 answers");
        assertThat(lines[2]).startsWith("{accuracy=").contains("loss=");
        assertThat(lines[3]).contains("out.npy");
    }
}
