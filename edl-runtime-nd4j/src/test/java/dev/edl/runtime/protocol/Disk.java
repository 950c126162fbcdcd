package dev.edl.runtime.protocol;

import dev.edl.runtime.task.LedgerEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A master's disk: journals and manifests, which outlive masters until the disk is lost. */
final class Disk {
    private final TreeMap<Long, List<LedgerEvent>> journals = new TreeMap<>();
    private final Map<String, List<LedgerEvent>> written = new HashMap<>();
    private @Nullable CutId newest;
    private boolean complete;

    /** Writes a manifest. */
    void commit(Effect.Commit commit) {
        if (!complete && (newest == null || commit.cut().compareTo(newest) > 0 || commit.last())) {
            newest = commit.cut();
            complete = commit.last();
        }
    }

    /** Returns the journal that a master has written. */
    List<LedgerEvent> journal(String master) {
        return written.getOrDefault(master, List.of());
    }

    /** Returns a disk with the same files, which then go their own ways. */
    Disk copy() {
        Disk copy = new Disk();
        journals.forEach((term, journal) -> copy.journals.put(term, new ArrayList<>(journal)));
        copy.newest = newest;
        copy.complete = complete;
        return copy;
    }

    /** Returns the disk as one master sees it, whose events an oracle hears. */
    MasterStore of(String master, Consumer<LedgerEvent> oracle) {
        return new MasterStore() {
            @Override
            public Found find() {
                return journals.isEmpty()
                        ? new Found(0, List.of(), newest, complete)
                        : new Found(journals.lastKey(), journals.lastEntry().getValue(), newest, complete);
            }

            @Override
            public Optional<Consumer<LedgerEvent>> create(long term, List<LedgerEvent> history) {
                if (journals.containsKey(term)) {
                    return Optional.empty();
                }
                List<LedgerEvent> journal = new ArrayList<>(history);
                journals.put(term, journal);
                written.put(master, journal);
                return Optional.of(event -> {
                    journal.add(event);
                    oracle.accept(event);
                });
            }
        };
    }
}
