package dev.edl.bench.runtime;

import dev.edl.bench.harness.ChildCommandLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Main program of a JVM that runs one or two {@link RepeatedStep}s (lanes), each in its own thread. Commands:
 *
 * <ul>
 * <li>{@code open INDEX[,INDEX] WORK} opens the lanes with these indexes; see {@link RepeatedStep#open}.
 * <li>{@code run MILLIS} runs all lanes at the same time; the answer is the sum of their steps per second.
 * </ul>
 */
public final class RepeatedStepJvm {
    /** Longest delay of a lane's begin or end, beyond the time of the run. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<RepeatedStep> lanes = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "lane");
        thread.setDaemon(true);
        return thread;
    });

    RepeatedStepJvm() {}

    /** Serves the commands of {@link JvmSharingCost}. */
    public static void main(String[] args) throws IOException {
        ChildCommandLoop.serve(new RepeatedStepJvm()::handle);
    }

    String handle(String command) throws Exception {
        String[] words = command.split(" ", 3);
        if (words[0].equals("open") && words.length == 3) {
            lanes.addAll(RepeatedStep.open(
                    words[2],
                    Arrays.stream(words[1].split(",")).map(Integer::valueOf).toList()));
            return "";
        }
        if (words[0].equals("run") && words.length == 2) {
            return "" + run(Integer.parseInt(words[1]));
        }
        throw new IllegalArgumentException(
                "a command must be \"open INDEX[,INDEX] WORK\" or \"run MILLIS\", was \"" + command + "\"");
    }

    private double run(int millis) throws InterruptedException, ExecutionException, TimeoutException {
        CountDownLatch ready = new CountDownLatch(lanes.size());
        List<Future<Double>> rates = new ArrayList<>();
        for (RepeatedStep step : lanes) {
            rates.add(threads.submit(() -> {
                ready.countDown();
                if (!ready.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    throw new TimeoutException(
                            "the other lane did not begin its run within " + PATIENCE.toSeconds() + " s");
                }
                return rate(step, millis);
            }));
        }
        double sum = 0;
        for (Future<Double> rate : rates) {
            try {
                sum += rate.get(PATIENCE.toMillis() + millis, TimeUnit.MILLISECONDS);
            } catch (TimeoutException late) {
                TimeoutException named = new TimeoutException(
                        "a lane's run of " + millis + " ms did not end within " + PATIENCE.toSeconds() + " s more");
                named.initCause(late);
                throw named;
            }
        }
        return sum;
    }

    /**
     * Returns the steps per second, over the time until the end of the last step, because a step of the CNN takes a
     * tenth of a run.
     */
    private static double rate(RepeatedStep step, int millis) {
        long began = System.nanoTime();
        long end = began + TimeUnit.MILLISECONDS.toNanos(millis);
        long steps = 0;
        long now;
        do {
            step.step();
            steps++;
            now = System.nanoTime();
        } while (now < end);
        return steps / ((now - began) / 1e9);
    }
}
