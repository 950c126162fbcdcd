package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.onnx.OnnxExport;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.zoo.Mlp;
import dev.edl.runtime.zoo.OnnxNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingIdentityTest {
    @TempDir
    private Path folder;

    private static TrainingBuilder training() {
        return Fixture.training(new LogisticModel(Fixture.FEATURES));
    }

    @Test
    void two_processes_with_the_same_program_have_the_same_digest() {
        TrainingIdentity one = TrainingIdentity.withData(training().build(), 2);

        assertThat(TrainingIdentity.withData(training().build(), 2)).isEqualTo(one);
        assertThat(TrainingIdentity.parse(one.text()).differences(one)).isEmpty();
    }

    @Test
    void what_differs_is_named_with_both_values() {
        TrainingIdentity master = TrainingIdentity.withData(training().build(), 2);
        TrainingIdentity worker =
                TrainingIdentity.withData(training().seed(8).epochs(5).build(), 3);

        assertThat(master.differences(worker))
                .containsExactly(
                        "epochs is \"6\" here and \"5\" there",
                        "parameter servers is \"2\" here and \"3\" there",
                        "seed is \"7\" here and \"8\" there");
    }

    @Test
    void networks_of_different_files_with_equal_layouts_differ() throws IOException {
        TrainingIdentity master = TrainingIdentity.of(onnx(1), 2);

        assertThat(master.differences(TrainingIdentity.of(onnx(1), 2))).isEmpty();
        assertThat(master.differences(TrainingIdentity.of(onnx(2), 2)))
                .singleElement()
                .asString()
                .matches(
                        "identity of the model is \"output \"outputs\" of an ONNX file with crc32c [0-9a-f]+\" here and"
                                + " \"output \"outputs\" of an ONNX file with crc32c [0-9a-f]+\" there");
    }

    private Training onnx(long seed) throws IOException {
        Mlp model = Mlp.of(Fixture.FEATURES, 3, 2);
        float[] weights = new float[model.layout().size()];
        model.initialize(weights, seed);
        TrainedModel trained = TrainedModel.of(model, ModelSnapshot.of(1, weights, List.of()));
        Path file = Files.write(
                folder.resolve(seed + ".onnx"), OnnxExport.of(trained).toBytes());
        return Fixture.training(OnnxNetwork.read(file).classifier()).build();
    }

    @Test
    void data_are_compared_by_those_who_read_them() {
        TrainingIdentity master = TrainingIdentity.withData(training().build(), 2);
        TrainingIdentity server = TrainingIdentity.of(
                training().data(Fixture.records().sharded(100)).build(), 2);
        TrainingIdentity worker = TrainingIdentity.withData(
                training().data(Fixture.records().sharded(100)).build(), 2);

        assertThat(master.differences(server)).isEmpty();
        assertThat(master.differences(worker))
                .singleElement()
                .asString()
                .startsWith("data is \"200 records in 4 shards, ");
    }

    @Test
    void a_worker_whose_columns_have_another_order_differs_from_the_master() {
        TrainingIdentity master = TrainingIdentity.withData(
                training()
                        .data(Fixture.records().named(List.of("a", "b", "c", "d", "e"), List.of()))
                        .build(),
                2);
        TrainingIdentity worker = TrainingIdentity.withData(
                training()
                        .data(Fixture.records().named(List.of("b", "a", "c", "d", "e"), List.of()))
                        .build(),
                2);

        assertThat(master.differences(worker))
                .singleElement()
                .asString()
                .contains("features=[a, b, c, d, e]", "features=[b, a, c, d, e]");
    }

    @Test
    void a_worker_that_does_not_know_the_names_of_the_columns_agrees_with_the_master() {
        TrainingIdentity master = TrainingIdentity.withData(
                training()
                        .data(Fixture.records().named(List.of("a", "b", "c", "d", "e"), List.of()))
                        .build(),
                2);
        TrainingIdentity worker = TrainingIdentity.withData(training().build(), 2);

        assertThat(master.differences(worker)).isEmpty();
        assertThat(worker.differences(master)).isEmpty();
    }
}
