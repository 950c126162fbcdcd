package dev.edl.runtime.engine.files;

import dev.edl.runtime.internal.files.AtomicFile;
import dev.edl.spec.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The file {@code run.result} of a checkpoint directory: the result of a finished run over processes. The first line is
 * the run's id and the digest of its training: the same id may run a changed program. A master writes it before workers leave, because a later master finds no worker for lost work.
 */
public final class RunResultFile {
    static final String FILE = "run.result";

    private final Path file;
    private final String first;

    /**
     * Creates the file's reader and writer.
     *
     * @param run the id of the run
     * @param training text of the properties that the masters of one training have in common
     */
    public RunResultFile(Path directory, String run, String training) {
        this.file = directory.resolve(FILE);
        this.first = run + " " + HexFormat.of().formatHex(Digest.sha256(training)) + "\n";
    }

    /** Writes the result, atomically. */
    public void write(String result) throws IOException {
        AtomicFile.write(file, out -> out.write((first + result).getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the result; empty if the run has not finished. The file may be of another run or training. */
    public Optional<String> read() throws IOException {
        try {
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return text.startsWith(first) ? Optional.of(text.substring(first.length())) : Optional.empty();
        } catch (NoSuchFileException unfinished) {
            return Optional.empty();
        }
    }
}
