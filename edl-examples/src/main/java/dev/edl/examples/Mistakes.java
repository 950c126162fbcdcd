package dev.edl.examples;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects mistakes in the values of flags, to report all at once. */
public final class Mistakes {
    private final List<String> found = new ArrayList<>();

    /** Checks the least value of a whole number; {@code valid} is an example for the message. */
    public Mistakes atLeast(int least, String flag, int value, int valid) {
        if (value < least) {
            found.add(flag + " must be at least " + least + ", was " + value + "; for example " + flag + " " + valid);
        }
        return this;
    }

    /** Checks that a function can parse a text; keeps the function's own message. */
    public Mistakes readable(String flag, String value, Consumer<String> reader) {
        try {
            reader.accept(value);
        } catch (IllegalArgumentException e) {
            found.add(flag + ": " + e.getMessage());
        }
        return this;
    }

    /** Checks that a path, if set, is a readable file. */
    public Mistakes file(String flag, @Nullable Path path) {
        if (path != null && !(Files.isRegularFile(path) && Files.isReadable(path))) {
            found.add(flag + " must be a file that can be read, was \"" + path + "\"");
        }
        return this;
    }

    /** Checks any other rule. */
    public Mistakes unless(boolean holds, String message) {
        if (!holds) {
            found.add(message);
        }
        return this;
    }

    /**
     * Ends the checks.
     *
     * @throws IllegalArgumentException when there was a mistake; one line for each
     */
    public void end() {
        if (!found.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", found));
        }
    }
}
