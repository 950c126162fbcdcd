package dev.edl.runtime.engine.files;

import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.data.npy.NpzReader;
import dev.edl.runtime.data.npy.SafetensorsReader;
import dev.edl.runtime.ps.Checkpoint;
import dev.edl.runtime.ps.CheckpointStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a trained model from a checkpoint, or from an {@code .npz} or {@code .safetensors} file in the form of {@link
 * ModelArrays}.
 */
public final class ModelImport {
    private ModelImport() {}

    /** Reads a model as {@link TrainedModel#load} describes it. */
    public static TrainedModel read(Path from) throws IOException {
        if (!Files.exists(from)) {
            throw new FileNotFoundException(
                    "there is no trained model at " + from + "; a model is read from a directory of checkpoints, a"
                            + " version-N directory in it, or an .npz or .safetensors file");
        }
        if (!Files.isDirectory(from)) {
            try {
                return ModelArrays.read(
                        ModelExport.isSafetensors(from) ? SafetensorsReader.read(from) : NpzReader.read(from));
            } catch (IllegalArgumentException | IllegalStateException noModel) {
                throw new IOException(from + ": is not an exported model: " + noModel.getMessage(), noModel);
            }
        }
        if (CheckpointStore.isCheckpoint(from)) {
            return of(CheckpointStore.load(from));
        }
        List<String> skipped = new ArrayList<>();
        return of(new CheckpointStore(from, 0)
                .latest(skipped::add)
                .orElseThrow(() -> new FileNotFoundException("no valid checkpoint of a model in " + from
                        + (skipped.isEmpty() ? "" : ": " + String.join("; ", skipped)))));
    }

    private static TrainedModel of(Checkpoint checkpoint) {
        return TrainedModel.of(checkpoint.layout(), checkpoint.cut().model())
                .named(RecordNames.of(checkpoint.metadata()));
    }
}
