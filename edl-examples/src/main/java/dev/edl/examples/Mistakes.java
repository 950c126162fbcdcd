package dev.edl.examples;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Gathers what is wrong with the values of flags, so that all of it is told at once. */
public final class Mistakes {
    private final List<String> found = new ArrayList<>();

    /** A whole number has a least value; {@code valid} is one that could stand there. */
    public Mistakes atLeast(int least, String flag, int value, int valid) {
        if (value < least) {
            found.add(flag + " must be at least " + least + ", was " + value + "; for example " + flag + " " + valid);
        }
        return this;
    }

    /** A text must be one that a function can read; the function's own message is kept. */
    public Mistakes readable(String flag, String value, Consumer<String> reader) {
        try {
            reader.accept(value);
        } catch (IllegalArgumentException e) {
            found.add(flag + ": " + e.getMessage());
        }
        return this;
    }

    /** A path, when it is given, must be one of a file that can be read. */
    public Mistakes file(String flag, @Nullable Path path) {
        if (path != null && !(Files.isRegularFile(path) && Files.isReadable(path))) {
            found.add(flag + " must be a file that can be read, was \"" + path + "\"");
        }
        return this;
    }

    /** Any other rule. */
    public Mistakes unless(boolean holds, String message) {
        if (!holds) {
            found.add(message);
        }
        return this;
    }

    /**
     * Ends the checks.
     *
     * @throws IllegalArgumentException when anything was wrong; one line for each
     */
    public void end() {
        if (!found.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", found));
        }
    }
}
