package dev.edl.runtime.ps.files;

import java.io.IOException;

/**
 * Thrown when a checkpoint is damaged or belongs to another model or job. The message names the file or the difference.
 */
public final class CheckpointException extends IOException {
    private static final long serialVersionUID = 1;

    public CheckpointException(String message) {
        super(message);
    }
}
