package dev.edl.runtime.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Training;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.inprocess.TrainingRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DatasetSourceTest {
    private static Training training(DatasetSource source) {
        return Fixture.training(new LogisticModel(Fixture.FEATURES))
                .data(source)
                .build();
    }

    @Test
    void a_dataset_is_opened_once_at_the_first_read() throws Exception {
        AtomicInteger opened = new AtomicInteger();
        Training training = training(() -> {
            opened.incrementAndGet();
            return Fixture.records();
        });

        assertThat(training)
                .hasToString(
                        "data x 6 epochs, minibatch 4, sgd:learning_rate=0.1, staleness unbounded, grads_to_wait 1");
        assertThat(opened).hasValue(0);
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(Fixture.job(2, 2))) {
            assertThat(run.awaitResult(Duration.ofSeconds(30)).exactlyOnce()).isTrue();
        }
        assertThat(opened).hasValue(1);
        assertThat(training.toString()).startsWith("200 records x 6 epochs");
    }

    @Test
    void a_mismatching_dataset_is_rejected_on_open() {
        Training training = training(() -> ArrayDataset.of(new float[][] {{1, 2}}, new int[] {1}));

        assertThatThrownBy(() -> training.data().shards())
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessageContaining("data has 2 features per record, but the model takes 5");
    }

    @Test
    void an_unopenable_dataset_names_its_setting() {
        Training training = training(() -> {
            throw new NoSuchFileException("/data/train");
        });

        assertThatThrownBy(() -> training.data().records())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("data cannot be opened: /data/train")
                .hasCauseInstanceOf(IOException.class);
    }
}
