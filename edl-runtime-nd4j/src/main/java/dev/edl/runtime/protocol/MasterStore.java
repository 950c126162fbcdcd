package dev.edl.runtime.protocol;

import dev.edl.runtime.task.LedgerEvent;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a master finds when it begins, and its journal. All of it may be lost: then the master rebuilds itself from the shards.
 */
public interface MasterStore {
    /**
     * What earlier masters left.
     *
     * @param journalTerm the highest term with a journal; 0 for none
     * @param history the events of that journal; empty for none
     * @param newest the newest cut that has a manifest; null for none
     * @param complete whether that cut is the result of the training
     */
    record Found(
            long journalTerm,
            List<LedgerEvent> history,
            @Nullable CutId newest,
            boolean complete) {
        /** Copies the list. */
        public Found {
            history = List.copyOf(history);
        }
    }

    /** Returns what earlier masters left. */
    Found find();

    /**
     * Creates the journal of a term, with a history. An event is in it when the consumer returns.
     *
     * @return empty when there is a journal of this term already: another master has taken it
     */
    Optional<Consumer<LedgerEvent>> create(long term, List<LedgerEvent> history);
}
