package dev.edl.runtime.engine.files;

import dev.edl.runtime.internal.files.AtomicFile;
import dev.edl.runtime.ps.Checkpoint;
import dev.edl.runtime.ps.CheckpointStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The file {@code run.id} of a checkpoint directory: the id of the run that owns the directory. Only masters that are
 * processes write it. If the file is damaged, the checkpoints decide, because each of them also names its run.
 */
final class RunIdFile {
    static final String FILE = "run.id";

    /** Key of the checkpoint entry with the id of the run that wrote the checkpoint. */
    static final String RUN = "run";

    private static final System.Logger LOG = System.getLogger(RunIdFile.class.getName());

    private RunIdFile() {}

    /** Returns whether the directory has the state of an earlier master of the run. */
    static boolean isOf(String run, Path directory) throws IOException {
        Optional<String> text = read(directory);
        if (text.isPresent() && !isDamaged(text.get(), run)) {
            return text.get().equals(run);
        }
        Optional<Checkpoint> newest = newest(directory);
        boolean mine = newest.isPresent() && run.equals(newest.get().metadata().get(RUN));
        if (mine) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    described(directory, text) + "; checkpoint " + newest.get().name() + " names this run, " + run
                            + ", so the run continues with it");
        }
        return mine;
    }

    /** Returns whether the file has the run's id. */
    static boolean isExactly(String run, Path directory) throws IOException {
        return read(directory).equals(Optional.of(run));
    }

    /** Writes the run's id, atomically, unless the file has it. */
    static void write(String run, Path directory) throws IOException {
        if (!isExactly(run, directory)) {
            AtomicFile.write(directory.resolve(FILE), out -> out.write(run.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /**
     * Moves checkpoints aside that name no run, if the file is damaged. A master of this run may have been killed while
     * it created the file, so the run must not be rejected for checkpoints that may be its own. They are not used
     * either, because they may be another run's.
     */
    static void moveUnknownAside(String run, Path directory) throws IOException {
        Optional<String> text = read(directory);
        if (text.isEmpty() || !isDamaged(text.get(), run)) {
            return;
        }
        Optional<Checkpoint> newest = newest(directory);
        if (newest.isPresent() && newest.get().metadata().containsKey(RUN)) {
            return;
        }
        List<Path> moved = SupersededCheckpointMover.moveAllAside(directory);
        LOG.log(
                System.Logger.Level.WARNING,
                described(directory, text) + "; "
                        + (moved.isEmpty()
                                ? "the directory has no checkpoint"
                                : "its checkpoints name no run and were moved to " + moved)
                        + ". Run " + run + " starts without a checkpoint; running parameter servers keep their state");
    }

    private static Optional<Checkpoint> newest(Path directory) throws IOException {
        return new CheckpointStore(directory, 0).latest(skipped -> LOG.log(System.Logger.Level.DEBUG, skipped));
    }

    private static Optional<String> read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        return Files.exists(file)
                ? Optional.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))
                : Optional.empty();
    }

    /** Returns whether the text is empty or unfinished, or has bytes that no run's id has. */
    private static boolean isDamaged(String text, String run) {
        return !text.equals(run)
                && (run.startsWith(text) || text.chars().anyMatch(c -> Character.isISOControl(c) || c == '\uFFFD'));
    }

    private static String described(Path directory, Optional<String> text) {
        Path file = directory.resolve(FILE);
        return text.map(found -> file + " must have a run's id, for example run-7f3a, but has "
                        + (found.isBlank() ? "none" : found.length() + " damaged characters"))
                .orElse(file + " is missing");
    }
}
