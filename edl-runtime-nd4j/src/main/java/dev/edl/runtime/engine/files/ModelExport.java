package dev.edl.runtime.engine.files;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.data.npy.NpzWriter;
import dev.edl.runtime.internal.files.DirectorySync;
import java.io.IOException;
import java.nio.file.Path;

/** Writes a trained model to an {@code .npz} file, in the form of {@link ModelArrays}. */
public final class ModelExport {
    private ModelExport() {}

    public static void write(TrainedModel model, Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            DirectorySync.create(folder);
        }
        NpzWriter.write(file, ModelArrays.of(model));
    }
}
