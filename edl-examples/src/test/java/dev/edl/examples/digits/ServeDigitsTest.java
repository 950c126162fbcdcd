package dev.edl.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtEnvironment;
import dev.edl.Job;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.zoo.Mlp;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program of jbang/serve.java serves trained digits, with ONNX Runtime alone on its class path. */
@Timeout(120)
class ServeDigitsTest {
    private static final Pattern ADDRESS = Pattern.compile("serves .* at (http://localhost:\\d+/)");
    private static final Duration BOUND = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private static Path program() {
        return Path.of(Files.exists(Path.of("jbang")) ? "" : "edl-examples", "jbang", "serve.java");
    }

    private static Path onnxRuntime() throws Exception {
        return Path.of(OrtEnvironment.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    private TrainedModel trained(Path onnx) throws IOException, InterruptedException {
        Training training = Training.builder()
                .model(Mlp.of(64, 10))
                .data(DigitsData.train(folder))
                .optimizer(Optimizer.adam(0.01f))
                .epochs(5)
                .export(onnx)
                .build();
        Job job = Job.named("digits").elasticdl().ps(1).workers(2).build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            return run.awaitResult(BOUND).model();
        }
    }

    private static HttpResponse<String> post(String address, String body) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(address))
                                .timeout(BOUND)
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static String line(float[] record) {
        return IntStream.range(0, record.length)
                .mapToObj(i -> String.valueOf(record[i]))
                .collect(Collectors.joining(","));
    }

    @Test
    void program_without_edl_serves_the_trained_digits() throws Exception {
        Path onnx = folder.resolve("digits.onnx");
        TrainedModel trained = trained(onnx);
        RecordIoDataset test = DigitsData.test(folder);
        Batch batch = Batch.of(trained.computing(), 359);
        test.read(test.shards().get(0).name(), 0, 359, batch);
        List<float[]> records = IntStream.range(0, 359)
                .mapToObj(row -> Arrays.copyOfRange(batch.features(), 64 * row, 64 * row + 64))
                .toList();

        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        onnxRuntime().toString(),
                        program().toString(),
                        onnx.toString(),
                        "0")
                .redirectError(folder.resolve("err").toFile())
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            Matcher address = ADDRESS.matcher(String.valueOf(out.readLine()));
            assertThat(address.matches())
                    .as(() -> "standard error is in " + folder.resolve("err"))
                    .isTrue();

            String body = records.stream().map(ServeDigitsTest::line).collect(Collectors.joining("\n"));
            List<String> lines = post(address.group(1), body).body().lines().toList();

            assertThat(lines.stream().map(text -> Integer.valueOf(text.split(" ")[0])))
                    .isEqualTo(records.stream().map(trained::predictClass).toList());
            assertThat(post(address.group(1), "1,2\n3")).satisfies(refused -> {
                assertThat(refused.statusCode()).isEqualTo(400);
                assertThat(refused.body())
                        .isEqualTo("each line must have as many numbers as the first, 2, was [3.0]\n");
            });
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void program_names_the_version_of_the_test() throws Exception {
        assertThat(Files.readAllLines(program()))
                .contains("//DEPS com.microsoft.onnxruntime:onnxruntime:"
                        + onnxRuntime().getFileName().toString().replaceAll("onnxruntime-(.*)\\.jar", "$1"));
    }
}
