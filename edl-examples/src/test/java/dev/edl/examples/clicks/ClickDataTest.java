package dev.edl.examples.clicks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import dev.edl.runtime.data.recordio.RecordIoReader;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.zoo.DeepFm;
import dev.edl.status.JobPhase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClickDataTest {
    private final ClickData data = new ClickData(1);

    @Test
    void a_deep_factorization_machine_learns_what_a_linear_model_cannot() {
        DeepFm deep = DeepFm.builder()
                .fields(ClickData.FIELDS)
                .numeric(ClickData.NUMERIC)
                .build();
        DeepFm linear = DeepFm.builder()
                .fields(ClickData.FIELDS)
                .numeric(ClickData.NUMERIC)
                .dimension(1)
                .hidden()
                .build();
        double deepAuc = auc(deep, Set.of());
        double linearAuc = auc(linear, Set.of("fm/vectors"));

        assertThat(linearAuc).isBetween(0.6, 0.8);
        assertThat(deepAuc).isGreaterThan(linearAuc + 0.05);
    }

    private double auc(DeepFm model, Set<String> idleTables) {
        try (SequentialTrainer trainer = new SequentialTrainer(model, 0.05, idleTables)) {
            trainer.train(data, 20_000);
            return trainer.auc(data, 1_000_000, 8_000);
        }
    }

    @Test
    void a_job_learns_it_with_its_rows_on_two_parameter_servers(@TempDir Path folder) throws Exception {
        data.write(folder.resolve("train"), 0, 3, 4_000);
        data.write(folder.resolve("test"), 1_000_000, 1, 4_000);
        try (RecordIoDataset train = RecordIoDataset.open(folder.resolve("train"), data);
                RecordIoDataset test = RecordIoDataset.open(folder.resolve("test"), data)) {
            Training training = Training.builder()
                    .model(DeepFm.builder()
                            .fields(ClickData.FIELDS)
                            .numeric(ClickData.NUMERIC)
                            .build())
                    .data(train)
                    .validation(test)
                    .metrics(Metric.auc(), Metric.accuracy(), Metric.crossEntropy())
                    .minibatch(64)
                    .optimizer(Optimizer.parse("adagrad:learning_rate=0.05"))
                    .epochs(2)
                    .build();
            Job job = Job.builder()
                    .name("clicks")
                    .elasticdl()
                    .master()
                    .ps(2)
                    .workers(2)
                    .build();
            try (InProcessExecutor executor = InProcessExecutor.of(training);
                    TrainingRun run = executor.submit(job)) {
                JobStatus end = run.await(Duration.ofMinutes(2));
                assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
                TrainingResult result = run.result().orElseThrow();
                assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
                // A linear model comes to 0.68.
                assertThat(result.metrics().get("auc")).isGreaterThan(0.7);
            }
        }
    }

    @Test
    void records_have_the_shape_and_the_frequencies_that_are_promised() {
        Batch batch = new Batch(5_000, ClickData.NUMERIC, 1, ClickData.FIELDS, List.of());
        for (int i = 0; i < 5_000; i++) {
            data.decode(data.record(i), batch);
        }
        int missing = 0;
        for (long id : batch.ids()) {
            assertThat(id).isBetween(-1L, ClickData.vocabulary() - 1L);
            missing += id < 0 ? 1 : 0;
        }
        float clicks = 0;
        for (float label : batch.labels()) {
            clicks += label;
        }
        // Of 130,000 ids and 5,000 labels: five standard deviations around 0.03, and a wide range of click rates.
        assertThat(missing / 130_000.0).isBetween(0.0276, 0.0324);
        assertThat(clicks / 5_000).isBetween(0.2f, 0.5f);
    }

    @Test
    void a_record_is_the_same_on_every_machine() {
        byte[] record = data.record(7);
        assertThat(record).hasSize(157).isNotEqualTo(new ClickData(2).record(7));
        CRC32 checksum = new CRC32();
        for (int i = 0; i < 1000; i++) {
            checksum.update(data.record(i));
        }
        // Written anew in Python 3 with struct and zlib.crc32.
        assertThat(checksum.getValue()).isEqualTo(0x45cc0467L);
    }

    @Test
    void files_hold_the_records_in_their_order(@TempDir Path folder) throws Exception {
        data.write(folder.resolve("train"), 100, 2, 3);
        assertThat(RecordIoReader.open(folder.resolve("train/clicks-00001")).read(0, 3))
                .containsExactly(data.record(103), data.record(104), data.record(105));
    }

    @Test
    void a_record_of_another_size_is_refused() {
        assertThatThrownBy(() -> data.decode(new byte[65], new Batch(1, 13, 1, 26, List.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a click has 157 bytes, was 65");
    }
}
