package dev.edl.operators.crd;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Test files written by hand, or taken from a system's own examples. */
public final class Golden {
    private Golden() {}

    /** Returns a file beside this class, in the directory {@code golden}. */
    public static String file(String name) {
        try (InputStream in = Golden.class.getResourceAsStream("golden/" + name)) {
            if (in == null) {
                throw new AssertionError("no file golden/" + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
