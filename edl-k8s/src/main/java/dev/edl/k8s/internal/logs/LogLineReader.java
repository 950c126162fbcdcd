package dev.edl.k8s.internal.logs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Splits a container's log into timestamped lines. A line that is too long is returned in fragments. */
public final class LogLineReader {
    /**
     * Longest fragment in bytes, the same as for the output of a local replica. A fragment exceeds it by up to three
     * bytes if these end no character.
     */
    static final int LONGEST = 65_536;

    private final InputStream from;
    private final byte[] buffer = new byte[16_384];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int at;
    private int end;
    private boolean within;

    /**
     * Line, or a fragment of one.
     *
     * @param time time of the line; empty for a fragment that is not the first
     * @param cut whether the log ended within the line
     * @param foreign whether the kubelet, not the container, wrote the line, for example that a log file is gone; such
     *     a line has no time
     */
    public record LineFragment(Optional<Instant> time, String text, boolean cut, boolean foreign) {}

    LogLineReader(InputStream from) {
        this.from = from;
    }

    /** Returns the next fragment; empty at the end of the log. */
    Optional<LineFragment> next() throws IOException {
        while (true) {
            if (at == end) {
                end = from.read(buffer);
                at = 0;
                if (end < 0) {
                    end = 0;
                    return line.size() == 0 ? Optional.empty() : Optional.of(piece(false, true));
                }
            }
            while (at < end) {
                byte next = buffer[at];
                if (next == '\n') {
                    at++;
                    return Optional.of(piece(true, false));
                }
                boolean character = (next & 0xC0) != 0x80;
                // A fragment ends at a character boundary. Bytes that are not UTF-8 may wait for three more.
                if (line.size() >= (character ? LONGEST : LONGEST + 3)) {
                    return Optional.of(piece(false, false));
                }
                line.write(next);
                at++;
            }
        }
    }

    private LineFragment piece(boolean whole, boolean cut) {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (text.endsWith("\r") && whole) {
            text = text.substring(0, text.length() - 1);
        }
        boolean first = !within;
        within = !whole;
        int space = text.indexOf(' ');
        if (!first) {
            return new LineFragment(Optional.empty(), text, cut, false);
        }
        try {
            Instant time =
                    OffsetDateTime.parse(text.substring(0, Math.max(space, 0))).toInstant();
            return new LineFragment(Optional.of(time), text.substring(space + 1), cut, false);
        } catch (DateTimeException e) {
            return new LineFragment(Optional.empty(), text, cut, true);
        }
    }
}
