package dev.edl.exec.local;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds executables as a shell does: a name with a slash is a path, any other name is searched on the PATH. */
final class ExecutableLookup {
    private ExecutableLookup() {}

    /**
     * Returns the file of a program that is started in this JVM's working directory; empty if it has no executable
     * file.
     */
    static Optional<Path> find(String program, String path) {
        return find(program, Path.of(""), path);
    }

    /**
     * Returns the file of a program that is started in a directory; empty if it has no executable file.
     *
     * @param directory the directory against which relative paths are resolved
     * @param path the value of the program's PATH
     */
    static Optional<Path> find(String program, Path directory, String path) {
        if (program.contains("/")) {
            return runnable(directory, "", program);
        }
        for (String folder : path.split(":", -1)) {
            Optional<Path> found = runnable(directory, folder, program);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> runnable(Path directory, String folder, String program) {
        try {
            Path file = directory.resolve(folder).resolve(program);
            return Files.isRegularFile(file) && Files.isExecutable(file) ? Optional.of(file) : Optional.empty();
        } catch (InvalidPathException e) {
            // No file has such a name.
            return Optional.empty();
        }
    }
}
