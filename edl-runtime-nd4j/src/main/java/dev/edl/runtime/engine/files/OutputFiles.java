package dev.edl.runtime.engine.files;

import dev.edl.runtime.ExportCallback;
import dev.edl.runtime.Training;
import dev.edl.runtime.internal.files.DirectorySync;
import dev.edl.runtime.internal.text.ExceptionText;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Files and directories that a training writes to, each with its purpose. */
public final class OutputFiles {
    private static final String MODEL = "model-\\d+\\.npz";

    private final List<Output> outputs = new ArrayList<>();
    private final List<Path> made = new ArrayList<>();

    private enum Kind {
        FILE,
        /** Directory to which an output writes files with unique names, so that outputs can share it. */
        DIRECTORY,
        /** Directory of files {@code model-<version>.npz}. */
        MODELS
    }

    private record Output(String purpose, Path path, Kind kind) {
        /** Returns whether one of the two outputs would overwrite or block files of the other. */
        boolean meets(Output other) {
            Path mine = real(path);
            Path theirs = real(other.path);
            if (mine.equals(theirs)) {
                return kind == other.kind ? kind != Kind.DIRECTORY : kind == Kind.FILE || other.kind == Kind.FILE;
            }
            return holds(mine, other, theirs) || other.holds(theirs, this, mine);
        }

        private boolean holds(Path mine, Output other, Path theirs) {
            return kind == Kind.MODELS
                    && other.kind == Kind.FILE
                    && mine.equals(theirs.getParent())
                    && theirs.getFileName().toString().matches(MODEL);
        }
    }

    /** Returns the outputs of a training. */
    public static OutputFiles of(Training training) {
        OutputFiles outputs = new OutputFiles();
        training.checkpointDirectory()
                .ifPresent(directory -> outputs.directory("checkpointDirectory", directory)
                        .file("the run's id", directory.resolve(RunIdFile.FILE))
                        .file("the run's result", directory.resolve(RunResultFile.FILE))
                        .file("the lock of checkpointDirectory", directory.resolve(RunLock.FILE))
                        .file("the lock of checkpointDirectory", directory.resolve(RunLock.EXCLUSIVE)));
        training.export().ifPresent(file -> outputs.file("export", file));
        training.history().ifPresent(file -> outputs.file("history", file));
        training.tensorboard().ifPresent(directory -> outputs.directory("tensorboard", directory));
        exports(training).forEach(export -> {
            if (export.best()) {
                outputs.file(export.toString(), export.target());
            } else {
                outputs.models(export.toString(), export.target());
            }
        });
        return outputs;
    }

    /**
     * Returns whether the training has an export, a TensorBoard log or a history. Two runs of it at the same time would
     * write to the same files, even if each had its own checkpoint directory.
     */
    public static boolean shared(Training training) {
        return training.export().isPresent()
                || training.tensorboard().isPresent()
                || training.history().isPresent()
                || exports(training).findAny().isPresent();
    }

    private static Stream<ExportCallback> exports(Training training) {
        return training.callbacks().stream()
                .filter(ExportCallback.class::isInstance)
                .map(ExportCallback.class::cast);
    }

    OutputFiles file(String purpose, Path path) {
        outputs.add(new Output(purpose, path, Kind.FILE));
        return this;
    }

    OutputFiles directory(String purpose, Path path) {
        outputs.add(new Output(purpose, path, Kind.DIRECTORY));
        return this;
    }

    /** Adds a directory of files {@code model-<version>.npz}. */
    OutputFiles models(String purpose, Path path) {
        outputs.add(new Output(purpose, path, Kind.MODELS));
        return this;
    }

    /** Returns the canonical form of a path, as far as it exists. */
    private static Path real(Path path) {
        Path whole = path.toAbsolutePath().normalize();
        Path folder = whole.getParent();
        try {
            return folder == null || !Files.exists(folder)
                    ? whole
                    : folder.toRealPath().resolve(whole.getFileName());
        } catch (IOException unreadable) {
            return whole;
        }
    }

    /** Returns one line for each pair of outputs that would overwrite or block each other. */
    public List<String> clashes() {
        List<String> clashes = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            for (int k = 0; k < i; k++) {
                Output one = outputs.get(k);
                Output two = outputs.get(i);
                if (one.meets(two)) {
                    clashes.add(one.purpose + " and " + two.purpose + " would write to the same place: " + one.path
                            + (one.path.equals(two.path) ? "" : " and " + two.path) + "; give each its own");
                }
            }
        }
        return clashes;
    }

    /**
     * Checks early that all outputs can be written: creates missing directories, and creates and deletes a file in
     * each. If an output fails, it deletes the created directories.
     *
     * @throws IOException if a directory cannot be created or written to, or the path of a file is a directory
     */
    public void check() throws IOException {
        try {
            for (Output output : outputs) {
                check(output);
            }
        } catch (IOException e) {
            undo();
            throw e;
        }
    }

    /** Deletes the directories that {@link #check} created and that are still empty. */
    public void undo() {
        for (int i = made.size() - 1; i >= 0; i--) {
            try {
                Files.deleteIfExists(made.get(i));
            } catch (IOException inUse) {
                // The directory is in use by now; it stays.
            }
        }
        made.clear();
    }

    private void check(Output output) throws IOException {
        boolean file = output.kind == Kind.FILE;
        if (file && Files.isDirectory(output.path)) {
            throw new FileAlreadyExistsException(
                    output.path.toString(), null, "is a directory; " + output.purpose + " needs a file");
        }
        Path folder = file ? output.path.toAbsolutePath().getParent() : output.path;
        if (folder == null) {
            return;
        }
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new FileAlreadyExistsException(
                    folder.toString(), null, "is no directory; " + output.purpose + " needs one");
        }
        try {
            make(folder.toAbsolutePath());
            Files.delete(Files.createTempFile(folder, ".edl-", ".tmp"));
        } catch (IOException e) {
            throw new IOException(
                    output.purpose + " cannot be written to " + output.path + ": " + ExceptionText.of(e)
                            + "; name a path in a folder that this program may write to",
                    e);
        }
    }

    private void make(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path parent = folder.getParent();
        if (parent != null) {
            make(parent);
        }
        Files.createDirectory(folder);
        made.add(folder);
        if (parent != null) {
            DirectorySync.force(parent);
        }
    }
}
