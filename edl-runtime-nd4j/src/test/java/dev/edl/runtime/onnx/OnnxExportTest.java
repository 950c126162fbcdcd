package dev.edl.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtSession;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.data.Standardization;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.TableSnapshot;
import dev.edl.runtime.zoo.DeepFm;
import dev.edl.runtime.zoo.Mlp;
import dev.edl.runtime.zoo.MnistCnn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the outputs of exported files in ONNX Runtime with those of the models. */
class OnnxExportTest {
    private static final int RECORDS = 1000;
    private static final long SEED = 20261128;

    private final OnnxAgreement runtime = new OnnxAgreement(SEED);

    @TempDir
    private Path folder;

    static Stream<Model> networks() {
        return Stream.of(
                Mlp.of(4, 3),
                Mlp.of(64, 32, 16, 10),
                new MnistCnn(),
                DeepFm.builder().fields(5).numeric(3).dimension(8).hidden(16, 4).build(),
                DeepFm.builder().fields(5).dimension(2).hidden(3).build(),
                DeepFm.builder().fields(3).numeric(2).dimension(4).hidden().build());
    }

    @ParameterizedTest
    @MethodSource("networks")
    void onnx_runtime_computes_the_outputs_of_the_model(Model model) throws Exception {
        TrainedModel trained = runtime.trained(model);
        byte[] onnx = OnnxExport.of(trained).toBytes();

        runtime.agree(trained, onnx, RECORDS);
        runtime.agree(trained, onnx, 1);
    }

    @Test
    void standardized_export_takes_raw_features() throws Exception {
        Mlp model = Mlp.of(3, 2);
        TrainedModel trained = runtime.trained(model);
        Standardization standardization = Standardization.of(new double[] {5, -2, 0.5}, new double[] {2, 0.25, 1});
        byte[] onnx = OnnxExport.of(trained).standardized(standardization).toBytes();
        float[] raw = {7, -2.5f, 0.75f};

        float[][] served = runtime.outputs(onnx, List.of(raw), List.of(new long[0]));

        float[] expected = trained.predict(standardization.apply(raw));
        assertThat(served[0]).containsExactly(expected, within(1e-6f));
        assertThatThrownBy(() ->
                        OnnxExport.of(trained).standardized(Standardization.of(new double[] {1}, new double[] {1})))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the standardization must have 3 features, those of Mlp[3, 2], had 1");
    }

    @Test
    void metadata_have_the_names_and_the_version() throws Exception {
        TrainedModel trained =
                runtime.trained(Mlp.of(2, 2)).named(new RecordNames(List.of("width", "height"), List.of("no", "yes")));

        try (OrtSession session = runtime.open(OnnxExport.of(trained).toBytes())) {
            assertThat(session.getMetadata().getCustomMetadata())
                    .containsEntry("edl.features", "[\"width\",\"height\"]")
                    .containsEntry("edl.classes", "[\"no\",\"yes\"]")
                    .containsEntry("edl.version", "7");
            assertThat(session.getMetadata().getProducerName()).isEqualTo("EDL");
            assertThat(session.getInputInfo()).containsOnlyKeys("features");
            assertThat(session.getOutputInfo()).containsOnlyKeys("outputs");
        }
    }

    @Test
    void ids_beyond_the_table_count_as_none() throws Exception {
        DeepFm model = DeepFm.builder().fields(2).dimension(2).hidden(3).build();
        TrainedModel trained = runtime.trained(model);
        byte[] onnx = OnnxExport.of(trained).toBytes();

        float[][] served = runtime.outputs(
                onnx, List.of(new float[0], new float[0]), List.of(new long[] {3, Long.MAX_VALUE}, new long[] {3, -1}));

        assertThat(served[0]).isEqualTo(served[1]);
    }

    @Test
    void table_of_large_ids_is_refused() {
        DeepFm model = DeepFm.builder().fields(1).dimension(1).hidden().build();
        List<TableSnapshot> tables = model.embeddings().stream()
                .map(table -> TableSnapshot.of(
                        table.name(), 1, table.initializer(), SEED, new long[] {1L << 40}, new float[] {1}))
                .toList();
        TrainedModel trained = TrainedModel.of(
                model, ModelSnapshot.of(1, new float[model.layout().size()], tables));

        assertThatThrownBy(() -> OnnxExport.of(trained).toBytes())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the ONNX form of the table fm/weights has a row for each id from 0, so its ids must be less"
                                + " than 20000000, was 1099511627776; hash the ids into fewer buckets, or export an .npz file");
    }

    @Test
    void model_exports_by_the_ending_of_the_file() throws Exception {
        TrainedModel trained = runtime.trained(Mlp.of(4, 3));
        Path file = folder.resolve("served/iris.onnx");

        trained.export(file);
        trained.export(folder.resolve("iris.npz"));

        runtime.agree(trained, Files.readAllBytes(file), 10);
        assertThat(TrainedModel.load(folder.resolve("iris.npz")).parameters()).isEqualTo(trained.parameters());
        assertThatThrownBy(() -> trained.export(folder.resolve("iris.pb")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an export must name an .npz, .safetensors or .onnx file, for example out/model.npz; was "
                        + folder.resolve("iris.pb"));
    }

    @Test
    void model_without_an_onnx_form_is_refused_by_name() throws IOException {
        Model graph = new SumModel();
        TrainedModel trained = TrainedModel.of(graph, ModelSnapshot.of(0, new float[1], List.of()));

        assertThatThrownBy(() -> trained.export(folder.resolve("sum.onnx")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "SumModel has no ONNX form: its class must implement dev.edl.runtime.onnx.OnnxModel, as Mlp,"
                                + " MnistCnn and DeepFm do; an .npz file takes any model");
        assertThat(folder).isEmptyDirectory();
    }

    /** A model of one parameter. */
    private static final class SumModel implements Model {
        @Override
        public ParameterLayout layout() {
            return ParameterLayout.builder().add("w", 1).build();
        }

        @Override
        public int features() {
            return 1;
        }

        @Override
        public int labels() {
            return 1;
        }

        @Override
        public int outputs() {
            return 1;
        }

        @Override
        public void initialize(float[] parameters, long seed) {
            parameters[0] = 0;
        }

        @Override
        public Session open(int capacity) {
            throw new UnsupportedOperationException("it is never computed");
        }

        @Override
        public String toString() {
            return "SumModel";
        }
    }
}
