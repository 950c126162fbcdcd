package dev.edl.bench.remote;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Numbers of gradients computed by each worker, in a file that all processes of a training map into memory, so that
 * neither counting nor reading needs a system call. Thread-safe.
 */
public final class StepCounts {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    /** Bytes between the entries of two workers, so many that no two workers write to the same cache line. */
    private static final int APART = 128;

    private static final int WORKERS = 31;

    private final ByteBuffer file;

    private StepCounts(ByteBuffer file) {
        this.file = file;
    }

    /** Maps a file, and creates it if it is absent. */
    public static StepCounts of(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new StepCounts(channel.map(FileChannel.MapMode.READ_WRITE, 0, (WORKERS + 1L) * APART));
        }
    }

    /**
     * Returns a task that a worker runs at each gradient, to count it; a worker that never runs its task is not
     * counted.
     */
    Runnable worker() {
        int[] own = new int[1];
        return () -> {
            if (own[0] == 0) {
                own[0] = 1 + Math.toIntExact((long) LONGS.getAndAdd(file, 0, 1L));
            }
            if ((long) LONGS.getAndAdd(file, own[0] * APART, 1L) == 1) {
                long now = System.currentTimeMillis();
                LONGS.setVolatile(
                        file,
                        own[0] * APART + Long.BYTES,
                        now - ManagementFactory.getRuntimeMXBean().getStartTime());
            }
        };
    }

    /** Returns how many workers have computed at least {@code steps} gradients. */
    int workers(long steps) {
        int reached = 0;
        for (int worker = 1; worker <= WORKERS; worker++) {
            reached += steps(worker) >= steps ? 1 : 0;
        }
        return reached;
    }

    /**
     * Returns the age of a worker's JVM in milliseconds at its second gradient; 0 before that.
     *
     * @param worker position of the worker, from 1, in the order of first gradients
     */
    public double millis(int worker) {
        return (double) (long) LONGS.getVolatile(file, worker * APART + Long.BYTES);
    }

    /** Returns the number of gradients that all workers have computed. */
    public long steps() {
        long sum = 0;
        for (int worker = 1; worker <= WORKERS; worker++) {
            sum += steps(worker);
        }
        return sum;
    }

    private long steps(int worker) {
        return (long) LONGS.getVolatile(file, worker * APART);
    }

    /** Returns for example {@code 4,711 steps of 2 workers}. */
    @Override
    public String toString() {
        return String.format("%,d steps of %d workers", steps(), workers(1));
    }
}
