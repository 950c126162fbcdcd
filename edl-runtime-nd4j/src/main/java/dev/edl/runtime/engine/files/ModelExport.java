package dev.edl.runtime.engine.files;

import dev.edl.runtime.ExportCallback;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.data.npy.NpzWriter;
import dev.edl.runtime.data.npy.SafetensorsWriter;
import dev.edl.runtime.internal.files.AtomicFile;
import dev.edl.runtime.internal.files.DirectorySync;
import dev.edl.runtime.onnx.OnnxExport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a trained model to an {@code .npz} or {@code .safetensors} file, in the form of {@link ModelArrays}, or to an
 * {@code .onnx} file.
 */
public final class ModelExport {
    private static final String NPZ = ".npz";
    private static final String SAFETENSORS = ".safetensors";
    private static final String ONNX = ".onnx";

    private ModelExport() {}

    /** Returns the reasons why the model of a training cannot be exported. */
    public static List<String> problems(Training training) {
        List<String> problems = new ArrayList<>();
        training.export().ifPresent(file -> check("export", file, training, problems));
        training.callbacks().forEach(callback -> {
            if (callback instanceof ExportCallback export && export.best()) {
                check(export.toString(), export.target(), training, problems);
            }
        });
        return problems;
    }

    private static void check(String what, Path file, Training training, List<String> problems) {
        if (file.toString().endsWith(ONNX)) {
            OnnxExport.refusal(training.model())
                    .ifPresent(reason -> problems.add(what + " to " + file + ": " + reason));
        }
    }

    static boolean isSafetensors(Path file) {
        return file.toString().endsWith(SAFETENSORS);
    }

    /** Writes a model as {@link TrainedModel#export} describes it. */
    public static void write(TrainedModel model, Path file) throws IOException {
        boolean arrays = file.toString().endsWith(NPZ) || isSafetensors(file);
        if (!arrays && !file.toString().endsWith(ONNX)) {
            throw new IllegalArgumentException(
                    "an export must name an .npz, .safetensors or .onnx file, for example out/model.npz; was " + file);
        }
        byte[] onnx = arrays ? new byte[0] : OnnxExport.of(model).toBytes();
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            DirectorySync.create(folder);
        }
        if (isSafetensors(file)) {
            SafetensorsWriter.write(file, ModelArrays.of(model));
        } else if (arrays) {
            NpzWriter.write(file, ModelArrays.of(model));
        } else {
            AtomicFile.write(file, out -> out.write(onnx));
        }
    }
}
