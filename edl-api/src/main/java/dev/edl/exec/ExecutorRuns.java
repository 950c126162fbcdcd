package dev.edl.exec;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs of one executor by job, and the lock under which they are submitted. Thread-safe.
 *
 * <p>This class closes no run under the lock, because a job's listener may call the executor.
 *
 * @param <R> the executor's handles
 */
public final class ExecutorRuns<R extends JobHandle> {
    private static final Logger LOG = System.getLogger(ExecutorRuns.class.getName());

    private final Map<String, R> runs = new LinkedHashMap<>();
    /** Runs to close, because a newer run has their key. */
    private final Queue<R> replaced = new ConcurrentLinkedQueue<>();

    private boolean closed;

    /**
     * Runs an action under the lock, and afterwards closes the runs that it replaced. A replaced run that fails to close
     * is only logged, because it does not concern the caller.
     */
    public <T> T submit(Supplier<T> action) {
        try {
            synchronized (this) {
                return action.get();
            }
        } finally {
            for (R run = replaced.poll(); run != null; run = replaced.poll()) {
                try {
                    run.close();
                } catch (RuntimeException e) {
                    String job = run.plan().name();
                    LOG.log(Level.WARNING, "the replaced run of job \"" + job + "\" did not close: " + e);
                }
            }
        }
    }

    /**
     * Checks that the executor is open.
     *
     * @param what verb for the message, such as {@code start}
     * @throws IllegalStateException when it is closed
     */
    public void checkOpen(String job, String what) {
        checkOpen("job \"" + job + "\" cannot " + what + ": the executor is closed");
    }

    /**
     * Checks that the executor is open.
     *
     * @throws IllegalStateException with the message, when it is closed
     */
    public synchronized void checkOpen(String message) {
        if (closed) {
            throw new IllegalStateException(message);
        }
    }

    /** Adds a run within {@link #submit}, in place of the run with its key. */
    public synchronized void put(String key, R run) {
        R earlier = runs.put(key, run);
        if (earlier != null) {
            replaced.add(earlier);
        }
    }

    /** Returns the run with a key. */
    public synchronized Optional<R> get(String key) {
        return Optional.ofNullable(runs.get(key));
    }

    /** Removes the run with a key, and closes it; does nothing without one. */
    public void close(String key) {
        R run;
        synchronized (this) {
            run = runs.remove(key);
        }
        if (run != null) {
            run.close();
        }
    }

    /** Removes a run if it still has its key; does not close it. */
    public synchronized void remove(String key, R run) {
        runs.remove(key, run);
    }

    /** Returns all runs, in the order of their first submissions. */
    public synchronized List<R> all() {
        return List.copyOf(runs.values());
    }

    /** Returns the state for messages: {@code closed}, {@code no jobs} or {@code jobs: mnist, resnet}. */
    @Override
    public synchronized String toString() {
        return closed ? "closed" : runs.isEmpty() ? "no jobs" : "jobs: " + String.join(", ", runs.keySet());
    }

    /**
     * Marks the executor as closed, so that no further run begins. Then applies each action to every run, even if some
     * fail.
     *
     * @throws RuntimeException the first failure
     */
    @SafeVarargs
    public final void end(Consumer<R>... actions) {
        List<R> all;
        synchronized (this) {
            closed = true;
            all = all();
        }
        List<RuntimeException> failures = new ArrayList<>();
        for (Consumer<R> action : actions) {
            for (R run : all) {
                try {
                    action.accept(run);
                } catch (RuntimeException e) {
                    failures.add(e);
                }
            }
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
