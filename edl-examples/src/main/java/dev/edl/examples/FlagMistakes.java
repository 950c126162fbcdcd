package dev.edl.examples;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects mistakes in the values of flags, to report all at once. */
public final class FlagMistakes {
    private final List<String> found = new ArrayList<>();

    /**
     * Adds a mistake if the value of a flag is less than {@code least}; {@code valid} is an example for the message.
     */
    public FlagMistakes atLeast(int least, String flag, int value, int valid) {
        if (value < least) {
            found.add(flag + " must be at least " + least + ", was " + value + "; for example " + flag + " " + valid);
        }
        return this;
    }

    /** Adds a mistake with the parser's own message if {@code reader} cannot parse the value of a flag. */
    public FlagMistakes readable(String flag, String value, Consumer<String> reader) {
        try {
            reader.accept(value);
        } catch (IllegalArgumentException e) {
            found.add(flag + ": " + e.getMessage());
        }
        return this;
    }

    /** Adds a mistake if the path of a flag is set, but is not a readable file. */
    public FlagMistakes file(String flag, @Nullable Path path) {
        if (path != null && !(Files.isRegularFile(path) && Files.isReadable(path))) {
            found.add(flag + " must be a file that can be read, was \"" + path + "\"");
        }
        return this;
    }

    /** Adds a message as a mistake unless a rule holds. */
    public FlagMistakes unless(boolean holds, String message) {
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
