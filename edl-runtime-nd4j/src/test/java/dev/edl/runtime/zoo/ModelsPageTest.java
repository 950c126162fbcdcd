package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.edl.runtime.ModelContract;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The hand-written model of docs/models.md. */
class ModelsPageTest {
    private final Model model = new LinearRegression(2);

    @Test
    void the_page_shows_the_class_that_is_tested_here() throws Exception {
        String source = Files.readString(Path.of("src/test/java/dev/edl/runtime/zoo/LinearRegression.java"));
        assertThat(Files.readString(Path.of("../docs/models.md")))
                .contains("```java\n" + source.substring(source.indexOf("/** y = w x + b")) + "```");
    }

    @Test
    void it_keeps_the_contract_and_finds_a_line() {
        Batch batch = RandomData.batch(1, 16, 16, 2, 2);
        for (int row = 0; row < 16; row++) {
            batch.labels()[row] = 3 * batch.features()[2 * row] - batch.features()[2 * row + 1] + 0.5f;
        }
        ModelContract.check("line", model, batch);
        float[] parameters = new float[3];
        float[] gradient = new float[3];
        try (Model.Session session = model.open(16)) {
            for (int step = 0; step < 500; step++) {
                session.gradient(parameters, batch, gradient);
                for (int i = 0; i < 3; i++) {
                    parameters[i] -= 0.2f * gradient[i];
                }
            }
        }
        assertThat(parameters).containsExactly(new float[] {3, -1, 0.5f}, within(1e-3f));
    }
}
