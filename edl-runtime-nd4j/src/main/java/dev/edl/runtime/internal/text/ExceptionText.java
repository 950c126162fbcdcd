package dev.edl.runtime.internal.text;

import java.nio.file.FileSystemException;

/** An exception in the words of a message to a person. */
public final class ExceptionText {
    private ExceptionText() {}

    /** Its message; its kind before it where the message alone (a path, nothing) would say too little. */
    public static String of(Throwable failure) {
        String kind = failure.getClass().getSimpleName();
        String message = failure.getMessage();
        if (message == null) {
            return kind;
        }
        return failure instanceof FileSystemException || failure instanceof Error ? kind + ": " + message : message;
    }
}
