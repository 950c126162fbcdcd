package dev.edl.exec.local;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Splits UTF-8 bytes into lines of text. A line of more than {@link #LONGEST} bytes is emitted in pieces, to bound the
 * memory.
 */
final class LineSplitter {
    static final int LONGEST = 65_536;

    private final Consumer<String> lines;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    LineSplitter(Consumer<String> lines) {
        this.lines = lines;
    }

    void add(byte[] bytes, int from, int to) {
        int start = from;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n') {
                line.write(bytes, start, i - start);
                emit();
                start = i + 1;
                continue;
            }
            // A piece never ends within a character; bytes that are not UTF-8 may add three more.
            boolean within = (bytes[i] & 0xC0) == 0x80;
            if (line.size() + i - start >= (within ? LONGEST + 3 : LONGEST)) {
                line.write(bytes, start, i - start);
                emit();
                start = i;
            }
        }
        line.write(bytes, start, to - start);
    }

    /** Emits the bytes after the last line end as a line, if there are any. */
    void end() {
        if (line.size() > 0) {
            emit();
        }
    }

    private void emit() {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        lines.accept(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
    }
}
