package dev.edl.bench.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Processor time that this machine has spent, and the part that this process and its ended children have spent; the
 * rest is noise of other processes. Read from Linux's {@code /proc}; absent elsewhere.
 *
 * @param all busy ticks, summed over all processors, including the ticks that the hypervisor took
 * @param own ticks that this process and all its ended children have used
 * @param nanos time of the reading, by {@link System#nanoTime}
 */
public record ProcessorTime(long all, long own, long nanos) {
    /** Number of ticks in a second: Linux counts 100, regardless of the frequency of the kernel's own clock. */
    private static final double TICKS = 100;

    private static final Path ALL = Path.of("/proc/stat");
    private static final Path OWN = Path.of("/proc/self/stat");

    /** Returns the processor time spent until now; empty on a system without {@code /proc}. */
    public static Optional<ProcessorTime> now() {
        if (!Files.isReadable(ALL) || !Files.isReadable(OWN)) {
            return Optional.empty();
        }
        try {
            return Optional.of(of(Files.readString(ALL), Files.readString(OWN), System.nanoTime()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Parses the contents of the two files.
     *
     * @param stat content of {@code /proc/stat}, with {@code cpu user nice system idle iowait irq softirq steal ...} in
     *     its first line
     * @param self content of {@code /proc/self/stat}, whose fields 14 to 17 are utime, stime, cutime and cstime; field
     *     2 is a name in brackets
     */
    static ProcessorTime of(String stat, String self, long nanos) {
        List<String> cpu = List.of(stat.lines().findFirst().orElse("").trim().split("\\s+"));
        if (cpu.size() < 9 || !cpu.get(0).equals("cpu")) {
            throw new IllegalStateException(ALL + ": expected a line \"cpu\" of 8 numbers or more, found " + cpu);
        }
        long all = 0;
        for (int field : new int[] {1, 2, 3, 6, 7, 8}) {
            all += Long.parseLong(cpu.get(field));
        }
        String[] fields = self.substring(self.lastIndexOf(')') + 1).trim().split("\\s+");
        long own = 0;
        // After the bracket the first field is number 3.
        for (int field = 14; field <= 17; field++) {
            own += Long.parseLong(fields[field - 3]);
        }
        return new ProcessorTime(all, own, nanos);
    }

    /** Returns the average number of processors that other processes kept busy since an earlier reading, at least 0. */
    public double othersSince(ProcessorTime earlier) {
        double seconds = (nanos - earlier.nanos) / 1e9;
        return Math.max(0, (all - earlier.all - (own - earlier.own)) / TICKS / Math.max(seconds, 1e-3));
    }

    /**
     * Waits until other processes leave the machine idle.
     *
     * @param limit average number of processors that other processes may use
     * @param bound longest wait
     * @return whether the machine became idle; true where the load is unknown
     */
    public static boolean awaitQuiet(double limit, Duration bound) throws InterruptedException {
        long end = System.nanoTime() + bound.toNanos();
        while (true) {
            Optional<ProcessorTime> before = now();
            if (before.isEmpty()) {
                return true;
            }
            Thread.sleep(500);
            if (now().orElseThrow().othersSince(before.get()) <= limit) {
                return true;
            }
            if (System.nanoTime() >= end) {
                return false;
            }
        }
    }
}
