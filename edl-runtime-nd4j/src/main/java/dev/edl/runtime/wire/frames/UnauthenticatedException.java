package dev.edl.runtime.wire.frames;

import dev.edl.runtime.internal.text.ExceptionText;
import java.io.IOException;

/**
 * Thrown when the program at an address does not prove to be a part of this job. It may be another job's, so a retry may
 * succeed.
 */
public final class UnauthenticatedException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param what predicate of the message, whose subject is the program, for example {@code failed to authenticate
     *     with this job's token}
     */
    UnauthenticatedException(String what) {
        super(ExceptionText.line(what));
    }
}
