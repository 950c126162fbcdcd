package dev.edl.k8s.internal.logs;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reader of one pod's log that passes each line on once. After a lost connection it resumes at the time of the last
 * line, and skips the lines of that time that it has passed on already. One thread reads; any thread closes.
 */
public final class PodLog implements AutoCloseable {
    private final LogSource source;
    private final Pod pod;
    private final OptionalInt tail;
    private final Consumer<LogLineReader.LineFragment> lines;
    private Optional<Instant> time = Optional.empty();
    /** Number of lines with the time of the last line that were passed on. */
    private int told;

    private volatile @Nullable InputStream stream;
    private volatile boolean closed;
    /** Start of the wait for data by {@link System#nanoTime}; 0 while a line is passed on. */
    private volatile long waitsSince;

    /** @param tail number of lines of the log so far that are passed on; empty for all */
    public PodLog(LogSource source, Pod pod, OptionalInt tail, Consumer<LogLineReader.LineFragment> lines) {
        this.source = source;
        this.pod = pod;
        this.tail = tail;
        this.lines = lines;
    }

    public Pod pod() {
        return pod;
    }

    /**
     * Reads until the log ends or the connection is lost.
     *
     * @param last whether the container has ended, so that an unterminated line counts as a line
     * @return whether the log ended; otherwise it may continue
     * @throws IOException when the API server refuses the log
     */
    public boolean read(boolean last) throws IOException {
        waits();
        try (InputStream opened = source.follow(pod, time, time.isPresent() ? OptionalInt.empty() : tail)) {
            stream = opened;
            if (!closed) {
                lines(new LogLineReader(opened), last);
            }
            return !closed;
        } catch (LogSource.RefusedException e) {
            switch (e.code) {
                case HttpURLConnection.HTTP_UNAUTHORIZED, HttpURLConnection.HTTP_FORBIDDEN -> throw e;
                case HttpURLConnection.HTTP_NOT_FOUND -> {
                    return true;
                }
                default -> {
                    return false;
                }
            }
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            // The connection is lost; the reader retries while the pod exists.
            return false;
        } finally {
            stream = null;
        }
    }

    private void lines(LogLineReader lineReader, boolean last) throws IOException {
        Optional<Instant> from = time;
        int skip = told;
        boolean skipping = false;
        for (Optional<LogLineReader.LineFragment> next = lineReader.next();
                next.isPresent();
                next = lineReader.next()) {
            LogLineReader.LineFragment fragment = next.get();
            if (fragment.time().isPresent()) {
                Instant at = fragment.time().get();
                skipping = from.isPresent() && (at.isBefore(from.get()) || (at.equals(from.get()) && skip-- > 0));
            }
            // A line that a lost connection cut is read again as a whole.
            if ((!skipping || fragment.foreign()) && (last || !fragment.cut())) {
                tell(fragment);
            }
        }
    }

    private void tell(LogLineReader.LineFragment fragment) {
        fragment.time().ifPresent(at -> {
            told = time.equals(Optional.of(at)) ? told + 1 : 1;
            time = Optional.of(at);
        });
        waitsSince = 0;
        lines.accept(fragment);
        waits();
    }

    private void waits() {
        // 0 has another meaning.
        waitsSince = System.nanoTime() | 1;
    }

    /** Returns whether the current read has waited for data for at least this long. */
    public boolean silentFor(Duration limit) {
        long since = waitsSince;
        return since != 0 && System.nanoTime() - since >= limit.toNanos();
    }

    @Override
    public void close() {
        closed = true;
        breakOff();
    }

    /** Closes the connection, which ends the current read. The reader may call {@link #read} again. */
    public void breakOff() {
        InputStream opened = stream;
        if (opened != null) {
            try {
                opened.close();
            } catch (IOException e) {
                // It was already closed.
                return;
            }
        }
    }
}
