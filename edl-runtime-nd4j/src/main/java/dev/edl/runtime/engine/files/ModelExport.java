package dev.edl.runtime;

import dev.edl.runtime.data.NpzWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a trained model to an {@code .npz} file, in the form of {@link ModelArrays}. */
final class ModelExport {
    private ModelExport() {}

    static void write(TrainedModel model, Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        NpzWriter.write(file, ModelArrays.of(model));
    }
}
