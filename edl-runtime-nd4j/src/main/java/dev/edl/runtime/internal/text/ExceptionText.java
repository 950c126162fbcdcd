package dev.edl.runtime.internal.text;

import java.nio.file.FileSystemException;

/** Formats an exception for a message to people. */
public final class ExceptionText {
    private ExceptionText() {}

    /**
     * Returns the exception's message, preceded by its class name if the message alone (a path) would not explain it.
     */
    public static String of(Throwable failure) {
        String kind = failure.getClass().getSimpleName();
        String message = failure.getMessage();
        if (message == null) {
            return kind;
        }
        return failure instanceof FileSystemException || failure instanceof Error ? kind + ": " + message : message;
    }
}
