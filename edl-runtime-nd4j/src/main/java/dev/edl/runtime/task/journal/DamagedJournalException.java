package dev.edl.runtime.task.journal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown when a file is no journal of the training: it is damaged, of another kind, or of another training. */
public final class DamagedJournalException extends IOException {
    private static final long serialVersionUID = 1;

    private final String reason;

    /**
     * Creates the exception.
     *
     * @param reason names file, offset, expected and found
     * @param remedy the user's choices, as sentences; empty if the reason has them
     */
    public DamagedJournalException(String reason, String remedy, @Nullable Throwable cause) {
        super(reason + remedy, cause);
        this.reason = reason;
    }

    /** Returns the message without the remedy. */
    public String reason() {
        return reason;
    }
}
