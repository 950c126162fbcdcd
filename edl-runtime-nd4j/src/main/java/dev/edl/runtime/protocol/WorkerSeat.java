package dev.edl.runtime.protocol;

import dev.edl.runtime.task.Task;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a master knows of one worker. */
final class WorkerSeat {
    /** No answer of a shard. */
    private static final int NONE = -1;

    final String name;
    /** The connection in use; null while there is none. */
    @Nullable
    Link link;
    /** The hello that waits until the master has a ledger. */
    WorkerToMaster.@Nullable Hello greeting;
    /** Whether rounds wait for it. */
    boolean member;

    long heardAt;
    /** The report that waits for the shards; null for none. */
    WorkerToMaster.@Nullable Report report;
    /** The master's number of the questions to the shards. */
    long question;

    private final int[] held;

    WorkerSeat(String name, int shards) {
        this.name = name;
        this.held = new int[shards];
    }

    boolean is(Link other) {
        return other.equals(link);
    }

    /** Begins a connection, in the place of an earlier one. */
    void greets(Link next, WorkerToMaster.Hello hello, long now) {
        closed();
        link = next;
        greeting = hello;
        heardAt = now;
    }

    void closed() {
        link = null;
        greeting = null;
        member = false;
        report = null;
    }

    void reports(WorkerToMaster.Report next, long number) {
        report = next;
        question = number;
        Arrays.fill(held, NONE);
    }

    /** A shard has begun another life: what it said does not count. */
    void forget(int shard) {
        held[shard] = NONE;
    }

    void confirmed(int shard, int count) {
        held[shard] = count;
    }

    boolean lacks(int shard) {
        return held[shard] == NONE;
    }

    boolean isAnswered() {
        return Arrays.stream(held).allMatch(count -> count != NONE);
    }

    boolean isHeldByAll(Task task) {
        return Arrays.stream(held).allMatch(count -> count == task.minibatches());
    }
}
