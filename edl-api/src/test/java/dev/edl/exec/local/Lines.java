package dev.edl.exec.local;

import dev.edl.exec.LogLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Collects the lines of replicas and waits for them. */
final class Lines implements Consumer<LogLine> {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final LinkedBlockingQueue<LogLine> coming = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();

    @Override
    public void accept(LogLine line) {
        coming.add(line);
    }

    /** Waits for the next matching line after the last one that was returned. */
    String next(Predicate<String> wanted) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            LogLine line = coming.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError("no such line within " + LIMIT + "; there were " + seen);
            }
            seen.add(line.toString());
            if (wanted.test(line.toString())) {
                return line.toString();
            }
        }
    }

    String next(String wanted) throws InterruptedException {
        return next(wanted::equals);
    }

    /** Returns every line so far. */
    List<String> all() {
        List<LogLine> rest = new ArrayList<>();
        coming.drainTo(rest);
        rest.forEach(line -> seen.add(line.toString()));
        return List.copyOf(seen);
    }
}
