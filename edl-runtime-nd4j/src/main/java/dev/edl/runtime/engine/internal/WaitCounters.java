package dev.edl.runtime.engine.internal;

import java.util.Locale;

/**
 * Counts how often a worker's thread waits. If master and servers are other processes, each wait for them is a network
 * round trip. Waits of the reader's thread do not count. Used by the worker's thread only.
 */
public final class WaitCounters {
    private long tasks;
    private long minibatches;
    private long master;
    private long reader;
    private long shards;

    /** Counts a task. */
    public void task() {
        tasks++;
    }

    /** Counts a minibatch. */
    public void minibatch() {
        minibatches++;
    }

    /** Counts a wait for a response of the master. */
    public void master() {
        master++;
    }

    /** Counts a wait for records. */
    public void reader() {
        reader++;
    }

    /** Counts a wait for the responses of all parameter servers, which are called at once. */
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
