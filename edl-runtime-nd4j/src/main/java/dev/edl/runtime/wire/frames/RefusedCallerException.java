package dev.edl.runtime.wire.frames;

import java.io.IOException;

/** A caller is none of this job, and has been told. */
final class RefusedCallerException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedCallerException(String message) {
        super(message);
    }
}
