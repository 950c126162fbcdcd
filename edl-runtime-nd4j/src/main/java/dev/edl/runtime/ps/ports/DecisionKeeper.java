package dev.edl.runtime.ps.ports;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Holds the newest decision record that a shard has received. Safe for several threads. */
public final class DecisionKeeper {
    private @Nullable DecisionRecord newest;

    /** Creates a keeper without a record, which is a shard's state at the start of a life. */
    public DecisionKeeper() {}

    /**
     * Stores a decision record, unless the stored one is newer. Requests may arrive twice or late.
     *
     * @return whether the record is now the newest
     */
    public synchronized boolean keep(DecisionRecord record) {
        DecisionRecord last = newest;
        if (last != null && last.isNewerThan(record)) {
            return false;
        }
        newest = record;
        return true;
    }

    /** Returns the newest decision record; empty before the first. */
    public synchronized Optional<DecisionRecord> newest() {
        return Optional.ofNullable(newest);
    }

    /** Returns the text for people, for example {@code decision 7 of term 2, 1204 bytes}. */
    @Override
    public synchronized String toString() {
        return newest == null ? "no decision" : newest.toString();
    }
}
