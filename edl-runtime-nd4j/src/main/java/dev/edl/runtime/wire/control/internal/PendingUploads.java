package dev.edl.runtime.wire.control.internal;

import dev.edl.internal.text.DurationText;
import dev.edl.runtime.internal.text.ExceptionText;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Uploads that servers are expected to make, each with the content of a response. Safe for several threads. */
public final class PendingUploads {
    private final Map<Long, ExpectedUpload<?>> expected = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();

    /** Reads the content of an upload. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(InputStream from) throws IOException;
    }

    /** An expected upload. */
    public static final class ExpectedUpload<T> {
        private final long id;
        private final Reader<T> reader;
        private final CompletableFuture<T> value = new CompletableFuture<>();
        private volatile boolean begun;

        private ExpectedUpload(long id, Reader<T> reader) {
            this.id = id;
            this.reader = reader;
        }

        public long id() {
            return id;
        }

        private void read(InputStream from) throws IOException {
            begun = true;
            try {
                value.complete(reader.read(from));
            } catch (IOException | RuntimeException | Error failure) {
                value.completeExceptionally(failure);
                throw failure;
            }
        }
    }

    public <T> ExpectedUpload<T> expect(Reader<T> reader) {
        ExpectedUpload<T> next = new ExpectedUpload<>(ids.incrementAndGet(), reader);
        expected.put(next.id, next);
        return next;
    }

    public void drop(ExpectedUpload<?> no) {
        expected.remove(no.id);
    }

    /** Reads the upload with this id; may wait for the rest of its content. */
    public void received(long id, InputStream from) throws IOException {
        ExpectedUpload<?> awaited = expected.remove(id);
        if (awaited == null) {
            throw new IOException("no upload is expected with the id " + id);
        }
        awaited.read(from);
    }

    /** Fails all expected uploads. */
    public void close(String reason) {
        expected.values().forEach(each -> each.value.completeExceptionally(new RpcPeer.PeerClosedException(reason)));
        expected.clear();
    }

    /**
     * Waits for an upload.
     *
     * @param bound the longest wait for its beginning; each chunk has a separate bound
     * @throws RpcPeer.PeerClosedException when the upload does not arrive completely
     */
    public <T> T await(String name, ExpectedUpload<T> what, Duration bound) throws InterruptedException {
        while (true) {
            try {
                return what.value.get(bound.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException late) {
                if (!what.begun) {
                    drop(what);
                    throw new RpcPeer.PeerClosedException(name + " has not begun within " + DurationText.of(bound)
                            + ", the bound connections.silence");
                }
            } catch (ExecutionException e) {
                throw new RpcPeer.PeerClosedException(
                        name + ": " + ExceptionText.of(e.getCause() == null ? e : e.getCause()));
            }
        }
    }
}
