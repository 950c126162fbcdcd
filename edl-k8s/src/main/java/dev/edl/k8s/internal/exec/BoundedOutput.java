package dev.edl.k8s.internal.exec;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Output stream that keeps the beginning of the output and counts the rest. Thread-safe. */
final class BoundedOutput extends OutputStream {
    private final int most;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private long dropped;

    BoundedOutput(int most) {
        this.most = most;
    }

    @Override
    public synchronized void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) {
        int room = Math.min(count, most - kept.size());
        kept.write(bytes, from, room);
        dropped += count - room;
    }

    synchronized String text() {
        return kept.toString(StandardCharsets.UTF_8);
    }

    synchronized long dropped() {
        return dropped;
    }
}
