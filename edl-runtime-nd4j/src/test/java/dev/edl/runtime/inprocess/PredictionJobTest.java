package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.exec.JobStatus;
import dev.edl.runtime.Evaluation;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.data.PredictionWriter;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PredictionJobTest {
    @TempDir
    Path folder;

    private static Prediction.Builder prediction(Model model) {
        return Prediction.builder()
                .model(model)
                .data(Fixture.data(2))
                .from(EvaluationJobTest.trained())
                .minibatch(4)
                .minibatchesPerTask(2);
    }

    private static float[] expected() throws IOException {
        return SinglePass.outputs(
                new LogisticModel(Fixture.FEATURES), EvaluationJobTest.trained().parameters(), Fixture.data(2));
    }

    private static PredictionResult run(Prediction prediction, int workers) throws InterruptedException {
        try (PassExecutor<PredictionResult> executor = InProcessExecutor.of(prediction);
                PassRun<PredictionResult> run = executor.submit(EvaluationJobTest.job(workers))) {
            JobStatus end = run.await(Fixture.LIMIT);
            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            return run.result().orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "worker-1", "master", "scale"})
    void each_records_outputs_are_written_once_at_their_position(String victim) throws Exception {
        AskedModel model = new AskedModel(Fixture.FEATURES);
        Path npy = folder.resolve("out/outputs.npy");
        try (PassExecutor<PredictionResult> executor = InProcessExecutor.of(
                        prediction(model).to(PredictionWriter.npy(npy)).build());
                PassRun<PredictionResult> run = executor.submit(EvaluationJobTest.job(3))) {
            model.before(n -> {
                if (n == 15) {
                    if (victim.equals("scale")) {
                        run.scale("worker", 1);
                    } else if (!victim.equals("nothing")) {
                        run.kill(victim);
                    }
                }
            });
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
            PredictionResult result = run.result().orElseThrow();
            assertThat(floats(npy, "(200, 2)")).containsExactly(expected());
            assertThat(result).hasToString("200 records predicted by version 120, 2 outputs each, to " + npy);
            assertThat(result.ledgerProof().toString()).startsWith("each of 200 records predicted exactly once");
            assertThat(npy.getParent()).isDirectoryNotContaining(path -> !path.equals(npy));
        }
    }

    /** Returns the values after a .npy header of version 1.0: magic, version, two bytes of length, a dictionary. */
    private static float[] floats(Path npy, String shape) throws IOException {
        byte[] bytes = Files.readAllBytes(npy);
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int length = in.getShort(8);
        assertThat(new String(bytes, 10, length, StandardCharsets.US_ASCII))
                .startsWith("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }");
        float[] values = new float[(bytes.length - 10 - length) / 4];
        in.position(10 + length)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer()
                .get(values);
        return values;
    }

    @Test
    void code_of_the_users_gets_each_record_once() throws Exception {
        float[] expected = expected();
        Map<String, Integer> seen = new TreeMap<>();
        int[] count = new int[1];
        PredictionResult result = run(
                prediction(new LogisticModel(Fixture.FEATURES))
                        .to(PredictionWriter.to((shard, start, end, outputs, width) -> {
                            for (long r = start; r < end; r++) {
                                seen.merge(shard + "/" + r, 1, Integer::sum);
                                count[0]++;
                            }
                            assertThat(outputs).hasSize((int) (end - start) * width);
                        }))
                        .build(),
                3);

        assertThat(count[0]).isEqualTo(200);
        assertThat(seen)
                .hasSize(200)
                .allSatisfy((record, times) -> assertThat(times).isEqualTo(1));
        assertThat(result.target()).isEqualTo("a receiver");
        assertThat(expected).hasSize(400);
    }

    @Test
    void a_csv_file_is_in_data_order() throws Exception {
        Path csv = folder.resolve("outputs.csv");
        run(
                prediction(new LogisticModel(Fixture.FEATURES))
                        .to(PredictionWriter.csv(csv))
                        .build(),
                3);

        float[] expected = expected();
        StringBuilder text = new StringBuilder("shard,record,output_0,output_1\n");
        int row = 0;
        for (DataShard shard : Fixture.data(2).shards()) {
            for (int r = 0; r < shard.records(); r++, row++) {
                text.append(shard.name() + "," + r + "," + expected[2 * row] + "," + expected[2 * row + 1] + "\n");
            }
        }
        assertThat(csv).hasContent(text.toString());
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(csv));
    }

    /** A dataset without its labels. */
    private record Unlabelled(ArrayDataset labelled) implements Dataset {
        @Override
        public List<DataShard> shards() {
            return labelled.shards();
        }

        @Override
        public int features() {
            return labelled.features();
        }

        @Override
        public int labels() {
            return 0;
        }

        @Override
        public void read(String shard, long start, long end, Batch into) throws IOException {
            Batch whole = new Batch((int) (end - start), features(), labelled.labels());
            labelled.read(shard, start, end, whole);
            for (int r = 0; r < whole.size(); r++) {
                System.arraycopy(
                        whole.features(), r * features(), into.features(), into.row() * features(), features());
            }
        }
    }

    @Test
    void data_without_labels_are_predicted_and_cannot_be_evaluated() throws Exception {
        Path npy = folder.resolve("outputs.npy");
        Unlabelled data = new Unlabelled(Fixture.data(2));
        run(
                prediction(new LogisticModel(Fixture.FEATURES))
                        .data(data)
                        .to(PredictionWriter.npy(npy))
                        .build(),
                2);

        assertThat(floats(npy, "(200, 2)")).containsExactly(expected());
        assertThatThrownBy(() -> Evaluation.builder()
                        .model(new LogisticModel(Fixture.FEATURES))
                        .data(data)
                        .from(EvaluationJobTest.trained())
                        .build())
                .hasMessage("evaluation: data has 0 label values per record, but the model takes 1");
    }

    @Test
    void a_writer_that_fails_fails_the_job_and_an_earlier_file_stays() throws Exception {
        Path csv = folder.resolve("outputs.csv");
        Files.writeString(csv, "earlier");
        PredictionWriter files = PredictionWriter.csv(csv);
        PredictionWriter failing = (shards, outputs) -> {
            PredictionWriter.Sink sink = files.open(shards, outputs);
            return new PredictionWriter.Sink() {
                @Override
                public void write(String shard, long start, long end, float[] values) throws IOException {
                    if (start >= 16) {
                        throw new IOException("No space left on device");
                    }
                    sink.write(shard, start, end, values);
                }

                @Override
                public void commit() throws IOException {
                    sink.commit();
                }

                @Override
                public void close() throws IOException {
                    sink.close();
                }
            };
        };
        Prediction prediction =
                prediction(new LogisticModel(Fixture.FEATURES)).to(failing).build();
        try (PassExecutor<PredictionResult> executor = InProcessExecutor.of(prediction);
                PassRun<PredictionResult> run = executor.submit(EvaluationJobTest.job(1))) {
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).isEqualTo(JobPhase.FAILED);
            assertThat(end.message()).contains("[16..24) cannot be written: No space left on device");
        }
        assertThat(csv).hasContent("earlier");
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(csv));
    }

    @ParameterizedTest
    @ValueSource(strings = {"npy", "csv"})
    void an_output_that_cannot_be_written_is_found_before_anything_runs(String format) throws Exception {
        Path directory = Files.createDirectory(folder.resolve("out"));
        Path file = Files.writeString(folder.resolve("notes"), "mine");
        Path below = file.resolve("outputs");
        Path taken = folder.resolve("taken");
        Path temporary = Files.createDirectory(folder.resolve("taken" + (format.equals("npy") ? ".tmp" : ".rows.tmp")));
        Files.writeString(temporary.resolve("mine"), "");
        Map<Path, String> mistakes = Map.of(
                taken,
                "predictions cannot be written to " + taken + ": FileSystemException: " + temporary
                        + ": Is a directory; name a path in a folder that this program may write to",
                directory,
                "FileAlreadyExistsException: " + directory + ": is a directory; predictions are written to a file",
                below,
                "FileAlreadyExistsException: " + file + ": is not a directory, so nothing can be written to " + below);
        for (Map.Entry<Path, String> mistake : mistakes.entrySet()) {
            Path path = mistake.getKey();
            Prediction prediction = prediction(new LogisticModel(Fixture.FEATURES))
                    .to(format.equals("npy") ? PredictionWriter.npy(path) : PredictionWriter.csv(path))
                    .build();
            try (PassExecutor<PredictionResult> executor = InProcessExecutor.of(prediction)) {
                assertThatThrownBy(() -> executor.submit(EvaluationJobTest.job(1)))
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessage("job \"unit\": " + mistake.getValue());
            }
        }
        assertThat(file).hasContent("mine");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void a_cancelled_prediction_leaves_nothing_behind() throws Exception {
        Path npy = folder.resolve("outputs.npy");
        AskedModel model = new AskedModel(Fixture.FEATURES);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        model.before(n -> {
            if (n >= 10) {
                reached.countDown();
                Waits.on(go);
            }
        });
        try (PassExecutor<PredictionResult> executor = InProcessExecutor.of(
                        prediction(model).to(PredictionWriter.npy(npy)).build());
                PassRun<PredictionResult> run = executor.submit(EvaluationJobTest.job(2))) {
            Waits.on(reached);
            run.cancel();
            assertThat(run.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.CANCELLED);
            go.countDown();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_prediction_says_what_it_lacks_and_what_it_is() {
        assertThatThrownBy(() -> Prediction.builder()
                        .model(new LogisticModel(3))
                        .data(Fixture.data(2))
                        .from(EvaluationJobTest.trained())
                        .build())
                .hasMessage("""
                        prediction: 2 mistakes
                          data has 5 features per record, but the model takes 3
                          to is missing: where the outputs go, for example .to(PredictionWriter.npy(Path.of("out.npy")))""");
        assertThat(prediction(new LogisticModel(Fixture.FEATURES))
                        .to(PredictionWriter.csv(Path.of("out.csv")))
                        .build())
                .hasToString("prediction of 200 records, minibatch 4, to out.csv");
    }

    @Test
    void the_columns_of_a_csv_file_have_the_names_that_are_given() throws IOException {
        Path csv = folder.resolve("named.csv");
        List<DataShard> shards = List.of(new DataShard("a", 1));
        PredictionWriter writer = PredictionWriter.csv(csv, List.of("setosa", "a, b"));
        try (PredictionWriter.Sink sink = writer.open(shards, 2)) {
            sink.write("a", 0, 1, new float[] {0.25f, 0.75f});
            sink.commit();
        }

        assertThat(csv).hasContent("shard,record,setosa,\"a, b\"\na,0,0.25,0.75\n");
        assertThatThrownBy(() -> writer.open(shards, 3))
                .hasMessage(
                        "the predictions have 3 outputs per record, but 2 names are given for them: [setosa, a, b]");
    }

    @Test
    void floats_in_a_csv_file_read_back_as_they_were() throws IOException {
        Path csv = folder.resolve("odd.csv");
        List<DataShard> shards = List.of(new DataShard("a, \"b\"", 1), new DataShard("none", 0), new DataShard("c", 2));
        float[] values = {Float.MIN_VALUE, Float.NaN, -0.0f};
        try (PredictionWriter.Sink sink = PredictionWriter.csv(csv).open(shards, 1)) {
            sink.write("c", 0, 2, Arrays.copyOfRange(values, 1, 3));
            sink.write("a, \"b\"", 0, 1, new float[] {values[0]});
            sink.commit();
        }

        assertThat(csv).hasContent("shard,record,output_0\n\"a, \"\"b\"\"\",0,1.4E-45\nc,0,NaN\nc,1,-0.0\n");
    }
}
