package dev.edl.runtime;

import dev.edl.runtime.data.NpzArray;
import dev.edl.runtime.data.NpzWriter;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.TableSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes a trained model as one float32 array a parameter, under the parameter's name, and for each embedding table
 * {@code <name>/ids}, the int64 ids of the rows that were updated, ascending, and {@code <name>/values}, their values.
 */
final class ModelExport {
    private ModelExport() {}

    static void write(TrainedModel model, Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        float[] weights = model.shared();
        List<NpzArray> arrays = new ArrayList<>();
        for (Parameter p : model.layout().parameters()) {
            arrays.add(NpzArray.of(p.name(), Arrays.copyOfRange(weights, p.offset(), p.end()), p.shape()));
        }
        for (TableSnapshot table : model.tables()) {
            long[] ids = table.ids();
            float[] values = new float[Math.multiplyExact(ids.length, table.dimension())];
            for (int i = 0; i < ids.length; i++) {
                table.read(ids[i], values, i * table.dimension());
            }
            arrays.add(NpzArray.of(table.name() + "/ids", ids, ids.length));
            arrays.add(NpzArray.of(table.name() + "/values", values, ids.length, table.dimension()));
        }
        NpzWriter.write(file, arrays);
    }
}
