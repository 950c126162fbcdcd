package dev.edl.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.TableSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** Compares the outputs of exported files in ONNX Runtime with those of the models, for random records of a seed. */
final class OnnxAgreement {
    private static final int KNOWN_IDS = 50;

    private final OrtEnvironment environment =
            OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR, "edl");
    private final long seed;
    private final Random random;

    OnnxAgreement(long seed) {
        this.seed = seed;
        random = new Random(seed);
    }

    OrtSession open(byte[] onnx) throws OrtException {
        return environment.createSession(onnx);
    }

    /** Returns a model whose parameters all have random values. */
    TrainedModel trained(Model model) {
        float[] weights = new float[model.layout().size()];
        model.initialize(weights, seed);
        for (int i = 0; i < weights.length; i++) {
            weights[i] += 0.05f * (random.nextFloat() - 0.5f);
        }
        List<TableSnapshot> tables = new ArrayList<>();
        for (EmbeddingTable table : model.embeddings()) {
            long[] ids = new long[KNOWN_IDS / 2];
            float[] values = new float[ids.length * table.dimension()];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = 2L * i + 1;
            }
            for (int i = 0; i < values.length; i++) {
                values[i] = random.nextFloat() - 0.5f;
            }
            tables.add(TableSnapshot.of(table.name(), table.dimension(), table.initializer(), seed, ids, values));
        }
        return TrainedModel.of(model, ModelSnapshot.of(7, weights, tables));
    }

    float[][] outputs(byte[] onnx, List<float[]> features, List<long[]> ids) throws OrtException {
        Map<String, OnnxTensor> inputs = new HashMap<>();
        if (features.get(0).length > 0) {
            inputs.put("features", OnnxTensor.createTensor(environment, features.toArray(float[][]::new)));
        }
        if (ids.get(0).length > 0) {
            inputs.put("ids", OnnxTensor.createTensor(environment, ids.toArray(long[][]::new)));
        }
        try (OrtSession session = environment.createSession(onnx);
                OrtSession.Result result = session.run(inputs)) {
            return (float[][]) result.get("outputs").orElseThrow().getValue();
        }
    }

    private List<float[]> features(Model model, int records) {
        return Stream.generate(() -> {
                    float[] values = new float[model.features()];
                    for (int i = 0; i < values.length; i++) {
                        values[i] = random.nextFloat() * 2 - 0.5f;
                    }
                    return values;
                })
                .limit(records)
                .toList();
    }

    private List<long[]> ids(Model model, int records) {
        return Stream.generate(
                        () -> random.longs(model.ids(), -2, KNOWN_IDS - 1).toArray())
                .limit(records)
                .toList();
    }

    /** Asserts that each output differs by at most 1e-5. */
    void agree(TrainedModel trained, byte[] onnx, int records) throws OrtException {
        Model model = trained.computing();
        List<float[]> features = features(model, records);
        List<long[]> ids = ids(model, records);
        float[][] served = outputs(onnx, features, ids);

        assertThat(served).hasDimensions(records, model.outputs());
        List<float[]> predicted = model.ids() == 0 ? trained.predictAll(features) : List.of();
        for (int i = 0; i < records; i++) {
            float[] expected = model.ids() == 0 ? predicted.get(i) : trained.predict(features.get(i), ids.get(i));
            for (int o = 0; o < expected.length; o++) {
                assertThat(served[i][o]).as("record %d of seed %d", i, seed).isEqualTo(expected[o], within(1e-5f));
            }
        }
    }
}
