package dev.edl.runtime.wire.control;

import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.wire.frames.MessageChannel;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Snapshots as a number and some megabytes of filler that is verified; both ends are in one process. */
final class ByReference implements BulkResultCodec {
    /** More than eight chunks. */
    static final int BYTES = 8 * MessageChannel.CHUNK + 12345;

    private static final Set<Class<?>> TYPES =
            Set.of(ShardSnapshot.class, ShardPushes.class, PinnedShard.class, ModelSnapshot.class);

    private final Map<Long, Object> values = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    /** Holds every write back until it is open. */
    volatile CountDownLatch writable = new CountDownLatch(0);

    /** Whether every write fails. */
    volatile boolean broken;

    /** Returns how many values were written. */
    int written() {
        return ids.intValue();
    }

    private void put(Object value, OutputStream to) throws IOException {
        Waits.on(writable);
        if (broken) {
            throw new IOException("broken by the test");
        }
        long id = ids.incrementAndGet();
        values.put(id, value);
        DataOutputStream out = new DataOutputStream(to);
        out.writeLong(id);
        byte[] content = new byte[BYTES];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) ((i * 31) >> 4);
        }
        out.write(content);
        out.flush();
    }

    private <T> T take(InputStream from, Class<T> type) throws IOException {
        long id = new DataInputStream(from).readLong();
        byte[] content = from.readAllBytes();
        if (content.length != BYTES) {
            throw new IOException("of " + BYTES + " bytes " + content.length + " came");
        }
        for (int i = 0; i < content.length; i++) {
            if (content[i] != (byte) ((i * 31) >> 4)) {
                throw new IOException("byte " + i + " is another one");
            }
        }
        return type.cast(values.remove(id));
    }

    @Override
    public boolean contains(Class<?> type) {
        return TYPES.contains(type);
    }

    @Override
    public void write(Object value, OutputStream to) throws IOException {
        put(value, to);
    }

    @Override
    public <T> T read(Class<T> type, InputStream from) throws IOException {
        return take(from, type);
    }
}
