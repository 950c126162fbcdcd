package dev.edl.exec.local;

import dev.edl.exec.LogLine;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The listeners to the replicas' log lines. Thread-safe. */
final class LogListeners {
    private static final System.Logger LOG = System.getLogger(LogListeners.class.getName());

    private final List<Consumer<LogLine>> readers;

    LogListeners(List<Consumer<LogLine>> readers) {
        this.readers = new CopyOnWriteArrayList<>(readers);
    }

    /** One that throws is not called again: the replica must not wait for it, nor end with it. */
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
