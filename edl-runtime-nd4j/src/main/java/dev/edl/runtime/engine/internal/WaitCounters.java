package dev.edl.runtime.engine.internal;

import java.util.Locale;

/**
 * What a worker has waited for in its own time: round trips, where master and servers are other processes. What its reader
 * does meanwhile does not count. For the worker's thread.
 */
public final class WaitCounters {
    private long tasks;
    private long minibatches;
    private long master;
    private long reader;
    private long shards;

    /** A task is done. */
    public void task() {
        tasks++;
    }

    /** A minibatch is done. */
    public void minibatch() {
        minibatches++;
    }

    /** The worker waits for an answer of the master. */
    public void master() {
        master++;
    }

    /** The worker waits for records. */
    public void reader() {
        reader++;
    }

    /** The worker waits for an answer of the parameter servers, all of which it asks at once. */
    public void shards() {
        shards++;
    }

    /**
     * Returns text for people, for example {@code 60 tasks, 480 minibatches: waited 2 times for the master, 1 time for
     * records, 960 times for servers}.
     */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s, %s: waited %s for the master, %s for records, %s for servers",
                count(tasks, "task"),
                count(minibatches, "minibatch"),
                count(master, "time"),
                count(reader, "time"),
                count(shards, "time"));
    }

    private static String count(long number, String noun) {
        String plural = noun.endsWith("h") ? noun + "es" : noun + "s";
        return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? noun : plural);
    }
}
