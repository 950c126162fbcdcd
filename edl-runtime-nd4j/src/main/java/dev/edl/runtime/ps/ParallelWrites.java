package dev.edl.runtime.ps;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Runs the writes of one checkpoint in parallel: on the calling thread and on up to three others, which end with the
 * call.
 */
final class ParallelWrites {
    private static final int THREADS = 4;

    private ParallelWrites() {}

    /** A write that can run in parallel with others. */
    @FunctionalInterface
    interface Write<T> {
        /** Writes, and returns the result. */
        T run() throws IOException;
    }

    /**
     * Runs all writes and returns their results in order. After a failure no further write begins.
     *
     * @throws IOException the first failure; thrown once no write is running
     */
    static <T> List<T> all(List<? extends Write<T>> writes) throws IOException {
        AtomicInteger next = new AtomicInteger();
        AtomicReferenceArray<T> results = new AtomicReferenceArray<>(writes.size());
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Runnable work = () -> {
            for (int i = next.getAndIncrement(); i < writes.size(); i = next.getAndIncrement()) {
                if (failure.get() != null) {
                    return;
                }
                try {
                    results.set(i, writes.get(i).run());
                } catch (IOException | RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                }
            }
        };
        List<Thread> threads = new ArrayList<>();
        try {
            for (int i = 1; i < Math.min(THREADS, writes.size()); i++) {
                Thread thread = new Thread(work, "checkpoint-write-" + i);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
            work.run();
        } finally {
            join(threads);
        }
        rethrow(failure.get());
        List<T> all = new ArrayList<>();
        for (int i = 0; i < results.length(); i++) {
            all.add(results.get(i));
        }
        return all;
    }

    /**
     * Waits for the threads to end, even if interrupted: a file that is still being written must not be renamed or
     * removed.
     */
    private static void join(List<Thread> threads) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void rethrow(@Nullable Throwable failure) throws IOException {
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
    }
}
