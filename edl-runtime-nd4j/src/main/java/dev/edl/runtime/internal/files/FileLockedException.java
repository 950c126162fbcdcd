package dev.edl.runtime.internal.files;

import java.io.IOException;

/**
 * Thrown when a file is already locked by this or another process. Its message has no more than that; the caller's
 * message names the holder and the remedy.
 */
public final class FileLockedException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean here;

    FileLockedException(String file, boolean here) {
        super(file + " is held " + (here ? "in this process" : "by another process"));
        this.here = here;
    }

    /** Returns whether this process holds the file; if false, another process holds it. */
    public boolean here() {
        return here;
    }
}
