package dev.edl.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.zoo.Mlp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelDataCheckTest {
    private final ArrayDataset three = ArrayDataset.of(new float[][] {{1, 2}, {3, 4}, {5, 6}}, new int[] {0, 2, 1});

    @Test
    void build_rejects_more_classes_than_outputs_in_training_and_validation_data() {
        assertThatThrownBy(() -> Training.builder()
                        .model(Mlp.of(2, 8, 2))
                        .data(three)
                        .validation(three)
                        .build())
                .isInstanceOf(InvalidTrainingException.class)
                .hasMessage("""
                        training: 2 mistakes
                          data has labels from 0 to 2, but the model has 2 outputs, one for each class; a model for these \
                        labels has 3 outputs
                          validation has labels from 0 to 2, but the model has 2 outputs, one for each class; a model for \
                        these labels has 3 outputs""");
    }

    @Test
    void fewer_classes_than_outputs_and_a_regression_are_no_mistake() {
        List<String> problems = new ArrayList<>();
        ModelDataCheck.check("data", three, Mlp.of(2, 4), problems);
        ModelDataCheck.check(
                "data",
                three,
                new LogisticModel(2) {
                    @Override
                    public int outputs() {
                        return 1;
                    }
                },
                problems);

        assertThat(problems).isEmpty();
    }
}
