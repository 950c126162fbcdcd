package dev.edl.runtime.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.zoo.internal.graph.LabelEncoding;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.autodiff.samediff.SameDiff;

/** Graphs that were saved to a file. */
class SameDiffFileTest {
    @TempDir
    private Path folder;

    @Test
    void a_saved_graph_keeps_values_and_results() {
        SameDiff graph = DenseGraph.graph(LabelEncoding.ONE_HOT, 5, 4, 3).get();
        Path file = folder.resolve("graph.fb");
        graph.save(file.toFile(), false);
        SameDiffModel saved = SameDiffModel.builder(file)
                .features("input")
                .labels("label")
                .oneHot(3)
                .loss("loss")
                .predictions("softmax")
                .build();
        SameDiffModel made = DenseGraph.oneHot(5, 4, 3);
        assertThat(saved.layout()).isEqualTo(made.layout());

        float[] parameters = new float[saved.layout().size()];
        saved.initialize(parameters, 12);
        saved.layout()
                .parameters()
                .forEach(p -> assertThat(parameters[p.offset()])
                        .isEqualTo(graph.getVariable(p.name()).getArr().data().getFloat(0)));
        assertThat(step(saved, parameters)).isEqualTo(step(made, parameters));
    }

    @Test
    void a_graph_in_another_file_system_is_the_same() throws Exception {
        Path file = folder.resolve("graph.fb");
        DenseGraph.graph(LabelEncoding.ONE_HOT, 5, 4, 3).get().save(file.toFile(), false);
        try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
            Path far = Files.copy(file, memory.getPath("/graph.fb"));
            SameDiffModel saved = SameDiffModel.builder(far)
                    .features("input")
                    .labels("label")
                    .oneHot(3)
                    .loss("loss")
                    .predictions("softmax")
                    .build();
            assertThat(saved.layout()).isEqualTo(DenseGraph.oneHot(5, 4, 3).layout());
        }
    }

    private static float[] step(Model model, float[] parameters) {
        Batch batch = RandomData.batch(1, 6, 6, 5, 3);
        float[] gradient = new float[parameters.length + 1];
        float[] part = new float[parameters.length];
        try (Model.Session session = model.open(6)) {
            gradient[parameters.length] = session.gradient(parameters, batch, part);
        }
        System.arraycopy(part, 0, gradient, 0, part.length);
        return gradient;
    }

    @Test
    void a_missing_file_fails_early_and_a_broken_one_at_build() throws Exception {
        Path file = folder.resolve("graph.fb");
        assertThatThrownBy(() -> SameDiffModel.builder(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no graph at " + file + "; sd.save(new File(\"graph.fb\"), false) writes one");

        Files.write(file, new byte[100]);
        SameDiffModel.Builder builder = SameDiffModel.builder(file)
                .features("input")
                .labels("label")
                .oneHot(3)
                .loss("loss")
                .predictions("softmax");
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + " holds no graph that SameDiff can load: it has no variables");
    }
}
