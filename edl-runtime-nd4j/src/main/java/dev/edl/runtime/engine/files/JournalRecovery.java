package dev.edl.runtime.engine.files;

import dev.edl.runtime.task.LedgerSpec;
import dev.edl.runtime.task.TaskLedger;
import dev.edl.runtime.task.journal.DamagedJournalException;
import dev.edl.runtime.task.journal.FileJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Opens a task journal; moves a damaged one aside as {@code tasks.journal.damaged-1}, {@code -2} and so on. The three
 * newest of them are kept.
 */
final class JournalRecovery {
    private static final System.Logger LOG = System.getLogger(JournalRecovery.class.getName());
    private static final String DAMAGED = ".damaged-";
    private static final int KEPT = 3;

    private JournalRecovery() {}

    /** Opens the journal's file. */
    @FunctionalInterface
    interface Opening {
        FileJournal open() throws IOException;
    }

    /** Opens a journal that a ledger can replay: the file's, or an empty one if the file is damaged. */
    static FileJournal open(Path file, LedgerSpec spec, Opening opening) throws IOException {
        try {
            return replayable(file, spec, opening);
        } catch (DamagedJournalException damaged) {
            Path aside = moveAside(file);
            LOG.log(
                    System.Logger.Level.WARNING,
                    damaged.reason() + "; moved the file to " + aside
                            + ", and the master recovers its tasks from the parameter servers");
            return opening.open();
        }
    }

    private static FileJournal replayable(Path file, LedgerSpec spec, Opening opening) throws IOException {
        FileJournal journal = opening.open();
        try {
            TaskLedger.replay(spec, journal.events(), event -> {});
            return journal;
        } catch (UncheckedIOException unreadable) {
            journal.close();
            throw unreadable.getCause();
        } catch (IllegalStateException inconsistent) {
            journal.close();
            throw new DamagedJournalException(file + ": " + inconsistent.getMessage(), "", inconsistent);
        } catch (RuntimeException other) {
            journal.close();
            throw other;
        }
    }

    private static Path moveAside(Path file) throws IOException {
        String prefix = file.getFileName() + DAMAGED;
        Pattern name = Pattern.compile(Pattern.quote(prefix) + "[1-9]\\d{0,8}");
        List<Integer> numbers;
        try (Stream<Path> children =
                Files.list(Objects.requireNonNull(file.toAbsolutePath().getParent()))) {
            numbers = children.map(path -> String.valueOf(path.getFileName()))
                    .filter(text -> name.matcher(text).matches())
                    .map(text -> Integer.valueOf(text.substring(prefix.length())))
                    .sorted()
                    .toList();
        }
        for (int i = 0; i <= numbers.size() - KEPT; i++) {
            Files.deleteIfExists(file.resolveSibling(prefix + numbers.get(i)));
        }
        int next = numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1) + 1;
        return Files.move(file, file.resolveSibling(prefix + next));
    }
}
