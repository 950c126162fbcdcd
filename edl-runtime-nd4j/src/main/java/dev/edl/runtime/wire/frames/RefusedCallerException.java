package dev.edl.runtime.wire.frames;

import java.io.IOException;

/** Thrown for a caller of another job. */
final class RefusedCallerException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedCallerException(String message) {
        super(message);
    }
}
