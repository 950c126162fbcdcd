package dev.edl.runtime.wire.frames;

import java.io.IOException;

/** What came is no frame that the layout allows here; the connection cannot be used any further. */
public class FrameException extends IOException {
    private static final long serialVersionUID = 1;

    FrameException(String message) {
        super(message);
    }
}
