package dev.edl.exec.local;

import dev.edl.internal.text.DurationText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies the output of a replica's process to its log file and passes its lines to the log readers, on the thread
 * {@code <replica>-log}.
 */
final class LogPump {
    private static final System.Logger LOG = System.getLogger(LogPump.class.getName());

    private final String replica;
    private final InputStream from;
    private final OutputStream file;
    private final LineSplitter lines;
    private final LongConsumer started;
    private final Duration rest;
    private final Thread thread;
    private volatile boolean abandoned;
    private boolean announced;
    private @Nullable IOException broken;

    /**
     * Creates the pump of a process.
     *
     * @param lines called with each line of the program
     * @param started called with the program's process id, which the supervisor prints as the first line
     * @param rest the longest wait for the remaining output of an ended process
     */
    LogPump(
            String replica,
            InputStream from,
            OutputStream file,
            Consumer<String> lines,
            LongConsumer started,
            Duration rest) {
        this.rest = rest;
        this.replica = replica;
        this.from = from;
        this.file = file;
        this.lines = new LineSplitter(line -> {
            if (!abandoned) {
                lines.accept(line);
                // Clears an interrupt by the reader, which would otherwise close the file's channel.
                Thread.interrupted();
            }
        });
        this.started = started;
        this.thread = new Thread(this::run, replica + "-log");
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Waits at most {@link #rest} for the remaining output of an ended process; then no further line is passed on. */
    void finish() throws InterruptedException {
        thread.join(rest.toMillis());
        if (thread.isAlive()) {
            // The reader gets no further line. The thread ends when the reader returns.
            abandoned = true;
            thread.interrupt();
            LOG.log(
                    System.Logger.Level.WARNING,
                    replica + " has ended, but after " + DurationText.of(rest)
                            + " its log is still open: a process that it started"
                            + " holds it open, or a log reader blocks");
        }
    }

    private void run() {
        byte[] buffer = new byte[16_384];
        try (from;
                file) {
            StringBuilder first = new StringBuilder();
            for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                int at = announced ? 0 : announcement(buffer, n, first);
                write(buffer, at, n);
                lines.add(buffer, at, n);
            }
        } catch (IOException e) {
            // The stream of an ended process may be closed while it is read.
            LOG.log(System.Logger.Level.DEBUG, "the log of " + replica + " ended with " + e);
        }
        lines.end();
    }

    /**
     * Reads the first line, the program's process id, and passes it to {@link #started}; a first line that is not a number
     * is passed on as output. Returns the position at which the remaining output starts.
     */
    private int announcement(byte[] buffer, int n, StringBuilder first) {
        for (int i = 0; i < n; i++) {
            if (buffer[i] == '\n') {
                announced = true;
                String line = first.toString();
                if (line.matches("[0-9]{1,18}")) {
                    started.accept(Long.parseLong(line));
                } else {
                    // The shell failed before it started the program: pass on its error message.
                    byte[] said = (line + "\n").getBytes(StandardCharsets.ISO_8859_1);
                    write(said, 0, said.length);
                    lines.add(said, 0, said.length);
                }
                return i + 1;
            }
            first.append((char) (buffer[i] & 0xFF));
        }
        return n;
    }

    /**
     * Writes to the log file. After a failure, as on a full disk, only the file ends: the pump must read on, or the
     * replica would block on its output.
     */
    private void write(byte[] bytes, int from, int to) {
        if (broken != null) {
            return;
        }
        try {
            file.write(bytes, from, to - from);
        } catch (IOException e) {
            broken = e;
            LOG.log(System.Logger.Level.WARNING, "the log file of " + replica + " ends here: it cannot be written", e);
        }
    }
}
