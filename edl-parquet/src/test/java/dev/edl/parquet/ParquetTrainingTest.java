package dev.edl.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.zoo.Mlp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetTrainingTest {
    private static final long SEED = 5;

    @TempDir
    Path folder;

    @Test
    void a_training_learns_from_each_record_of_all_files_exactly_once_an_epoch() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        for (String name : new String[] {"part-0.parquet", "part-1.parquet"}) {
            ParquetFiles.write(
                    folder.resolve(name),
                    "required group ab (LIST) { repeated group list { required float element; } }"
                            + " required binary side (STRING);",
                    250,
                    100,
                    CompressionCodecName.ZSTD,
                    (row, i) -> {
                        float a = random.nextFloat() - 0.5f;
                        float b = random.nextFloat() - 0.5f;
                        row.addGroup("ab").addGroup("list").append("element", a);
                        row.getGroup("ab", 0).addGroup("list").append("element", b);
                        row.append("side", a > b ? "above" : "below");
                    });
        }
        ParquetColumns columns = ParquetColumns.create().list("ab", 2).label("side", "below", "above");
        Training training = Training.builder()
                .model(Mlp.of(2, 8, 2))
                .data(() -> ParquetDataset.open(folder, columns))
                .validation(ParquetDataset.open(folder, columns))
                .optimizer(Optimizer.adam(0.02f))
                .minibatch(20)
                .minibatchesPerTask(2)
                .epochs(10)
                .seed(SEED)
                .metrics(Metric.accuracy())
                .build();
        Job job = Job.builder()
                .name("parquet")
                .elasticdl()
                .master()
                .ps(1)
                .workers(1)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            TrainingResult result = run.awaitResult(Duration.ofMinutes(1));
            assertThat(result.exactlyOnce()).isTrue();
            assertThat(result.records()).isEqualTo(10 * 500);
            assertThat(result.metrics().get("accuracy")).isGreaterThan(0.95);
        }
    }
}
