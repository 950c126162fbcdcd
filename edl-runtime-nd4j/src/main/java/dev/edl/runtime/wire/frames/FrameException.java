package dev.edl.runtime.wire.frames;

import java.io.IOException;

/**
 * Thrown when received bytes are not a frame that the protocol allows at this point. The connection cannot be used any
 * further.
 */
public class FrameException extends IOException {
    private static final long serialVersionUID = 1;

    FrameException(String message) {
        super(message);
    }
}
