package dev.edl.runtime;

import dev.edl.runtime.data.NpzArray;
import dev.edl.runtime.data.NpzWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes a trained model as one float32 array a parameter, under the parameter's name. */
final class ModelExport {
    private ModelExport() {}

    static void write(ParameterLayout layout, float[] weights, Path file) throws IOException {
        List<NpzArray> arrays = new ArrayList<>();
        for (Parameter p : layout.parameters()) {
            arrays.add(NpzArray.of(p.name(), Arrays.copyOfRange(weights, p.offset(), p.end()), p.shape()));
        }
        NpzWriter.write(file, arrays);
    }
}
