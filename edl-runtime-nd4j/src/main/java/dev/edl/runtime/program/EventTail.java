package dev.edl.runtime.program;

import dev.edl.runtime.Progress;
import dev.edl.runtime.engine.EventHub;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/** Follows the file to which the masters of a run write its events. Thread-safe. */
final class EventTail {
    /** Maximum number of bytes read per poll; the next poll continues after them. */
    private static final int AT_ONCE = 16 << 20;

    private final Path file;
    private final ReportedEvents reported;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long read;

    EventTail(Path file, EventHub hub) {
        this.file = file;
        this.reported = new ReportedEvents(hub);
    }

    /** Reports the lines written since the last poll. */
    synchronized void poll() {
        if (!Files.exists(file)) {
            return;
        }
        try (SeekableByteChannel from = Files.newByteChannel(file)) {
            ByteBuffer more = ByteBuffer.allocate(Math.toIntExact(Math.min(from.size() - read, AT_ONCE)));
            from.position(read);
            while (more.hasRemaining() && from.read(more) >= 0) {
                // A channel may return fewer bytes than requested.
            }
            read += more.flip().limit();
            while (more.hasRemaining()) {
                byte each = more.get();
                if (each == '\n') {
                    if (line.size() > 0) {
                        reported.line(line.toString(StandardCharsets.UTF_8));
                    }
                    line.reset();
                } else {
                    line.write(each);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the events of the training cannot be read", e);
        }
    }

    /** Returns the time of the master's last sign of life; empty before the first. */
    Optional<FileTime> modified() {
        try {
            return Optional.of(Files.getLastModifiedTime(file));
        } catch (NoSuchFileException early) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("the events of the training cannot be read", e);
        }
    }

    Optional<Progress> progress() {
        return reported.progress();
    }

    Optional<TrainingSummary> summary() {
        return reported.summary();
    }
}
