package dev.edl.runtime.wire.frames;

import java.io.IOException;

/** Thrown for received bytes that are no frame the layout allows here. The connection cannot be used any further. */
public class FrameException extends IOException {
    private static final long serialVersionUID = 1;

    FrameException(String message) {
        super(message);
    }
}
