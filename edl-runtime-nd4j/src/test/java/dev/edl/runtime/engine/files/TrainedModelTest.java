package dev.edl.runtime.engine.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.data.npy.NpzArray;
import dev.edl.runtime.data.npy.NpzReader;
import dev.edl.runtime.data.npy.NpzWriter;
import dev.edl.runtime.data.npy.SafetensorsReader;
import dev.edl.runtime.model.ParameterLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainedModelTest {
    private static final ParameterLayout NORMALIZED = ParameterLayout.builder()
            .add("kernel", 2, 3)
            .addState("moving_mean", 3)
            .addState("moving_variance", 3)
            .build();

    @TempDir
    Path folder;

    private Path exported(ParameterLayout layout) throws IOException {
        float[] values = new float[layout.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        Path file = folder.resolve("model.npz");
        ModelExport.write(TrainedModel.of(layout, values, 7), file);
        return file;
    }

    @Test
    void an_export_knows_which_parameters_are_state() throws IOException {
        TrainedModel read = TrainedModel.load(exported(NORMALIZED));

        assertThat(read.layout()).isEqualTo(NORMALIZED);
        assertThat(read.layout().trained()).isEqualTo(6);
        assertThat(read.parameters()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    @Test
    void safetensors_file_is_the_same_model() throws IOException {
        TrainedModel model =
                TrainedModel.load(exported(NORMALIZED)).named(new RecordNames(List.of("width"), List.of("no", "yes")));
        Path file = folder.resolve("out/model.safetensors");

        model.export(file);
        TrainedModel read = TrainedModel.load(file);

        assertThat(SafetensorsReader.read(file)).containsKeys("kernel", "moving_mean", "edl/state", "edl/classes");
        assertThat(read.layout()).isEqualTo(NORMALIZED);
        assertThat(read.parameters()).isEqualTo(model.parameters());
        assertThat(read.names()).isEqualTo(model.names());
    }

    @Test
    void a_model_without_state_has_one_array_a_parameter_and_no_other() throws IOException {
        Path file = exported(ParameterLayout.builder().add("w", 2).add("b", 1).build());

        assertThat(NpzReader.read(file)).containsOnlyKeys("w", "b");
        assertThat(TrainedModel.load(file).layout().trained()).isEqualTo(3);
    }

    @Test
    void state_is_found_by_name_in_any_order() throws IOException {
        Path file = exported(NORMALIZED);
        List<NpzArray> arrays = new ArrayList<>(NpzReader.read(file).values());
        Collections.reverse(arrays);
        NpzWriter.write(file, arrays);

        TrainedModel read = TrainedModel.load(file);

        assertThat(read.layout()).isEqualTo(NORMALIZED);
        assertThat(read.parameters()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    @Test
    void state_that_is_not_in_the_file_is_named() throws IOException {
        Path file = exported(NORMALIZED);
        NpzWriter.write(
                file,
                NpzReader.read(file).values().stream()
                        .filter(array -> !array.name().equals("moving_mean"))
                        .toList());

        assertThatThrownBy(() -> TrainedModel.load(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file
                        + ": is not an exported model: the array \"moving_mean\" is missing, which edl/state names;"
                        + " there are [kernel, moving_variance]");
    }
}
