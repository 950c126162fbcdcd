package dev.edl.runtime.internal.files;

import java.io.IOException;

/** A file is held already; the caller says by whom and what to do. */
public final class HeldFileException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean here;

    HeldFileException(String file, boolean here) {
        super(file + " is held " + (here ? "in this process" : "by another process"));
        this.here = here;
    }

    /** Returns whether this process holds the file. */
    public boolean here() {
        return here;
    }
}
