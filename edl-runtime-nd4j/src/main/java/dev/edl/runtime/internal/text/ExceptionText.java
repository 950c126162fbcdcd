package dev.edl.runtime.internal.text;

import java.nio.file.FileSystemException;

/** Formats an exception for a message to people. */
public final class ExceptionText {
    /** Largest number of characters of a text from another process in the log. */
    private static final int LONGEST = 1000;

    private ExceptionText() {}

    /** Returns a text that another process may have sent as a single line of limited length. */
    public static String line(String text) {
        return (text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...").replaceAll("\\p{Cntrl}", " ");
    }

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
