package dev.edl.exec.local;

import dev.edl.exec.LogLine;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Readers of the replicas' log lines. Thread-safe. */
final class LogListeners {
    private static final System.Logger LOG = System.getLogger(LogListeners.class.getName());

    private final List<Consumer<LogLine>> readers;

    LogListeners(List<Consumer<LogLine>> readers) {
        this.readers = new CopyOnWriteArrayList<>(readers);
    }

    /**
     * Passes a line to all readers. A reader that throws is removed, so that its exception cannot block or end the
     * replica.
     */
    void tell(LogLine line) {
        for (Consumer<LogLine> reader : List.copyOf(readers)) {
            try {
                reader.accept(line);
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                readers.remove(reader);
                LOG.log(
                        System.Logger.Level.WARNING,
                        "a log reader threw on a line of " + line.replica() + " of job \"" + line.job()
                                + "\" and is no longer called",
                        e);
            }
        }
    }
}
