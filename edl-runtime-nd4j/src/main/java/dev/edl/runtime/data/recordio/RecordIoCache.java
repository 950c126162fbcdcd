package dev.edl.runtime.data.recordio;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Cache of the most recently read chunks, decoded, up to a number of bytes; it always keeps the most recently read
 * chunk.
 *
 * <p>Minibatches are far smaller than chunks, and workers read minibatches that follow each other. Without the cache,
 * each minibatch would decode its chunk again. Safe for several threads; a chunk is loaded outside the lock, at worst
 * twice.
 */
final class RecordIoCache {
    private record Key(RecordIoReader reader, long offset) {}

    private final long limit;
    private final Map<Key, RecordIoPayload> payloads = new LinkedHashMap<>(16, 0.75f, true);
    private long weight;

    RecordIoCache(long limit) {
        this.limit = limit;
    }

    RecordIoPayload get(RecordIoReader reader, RecordIoChunk chunk) throws IOException {
        Key key = new Key(reader, chunk.offset());
        synchronized (this) {
            RecordIoPayload known = payloads.get(key);
            if (known != null) {
                return known;
            }
        }
        RecordIoPayload loaded = reader.load(chunk);
        synchronized (this) {
            if (payloads.put(key, loaded) == null) {
                weight += loaded.weight();
            }
            Iterator<RecordIoPayload> oldest = payloads.values().iterator();
            while (weight > limit && payloads.size() > 1) {
                weight -= oldest.next().weight();
                oldest.remove();
            }
        }
        return loaded;
    }

    synchronized void clear() {
        payloads.clear();
        weight = 0;
    }

    /** Returns the number of cached chunks. */
    synchronized int size() {
        return payloads.size();
    }
}
