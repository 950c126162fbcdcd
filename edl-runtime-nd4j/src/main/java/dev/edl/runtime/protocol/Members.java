package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ParameterShard;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** For which workers the rounds of one shard wait: those that the master lists, but for the idle ones. */
final class Members {
    private final SortedSet<String> listed = new TreeSet<>();
    /** By worker: the last sequence that it pushed, the one at which it was idle, and the connection that it uses. */
    private final Map<String, Long> pushed = new HashMap<>();

    private final Map<String, Long> idle = new HashMap<>();
    private final Map<String, Link> links = new HashMap<>();

    /** Takes the master's list over. */
    void list(ParameterShard shard, SortedSet<String> workers) {
        listed.clear();
        listed.addAll(workers);
        shard.members().stream().filter(name -> !listed.contains(name)).forEach(shard::leave);
        listed.forEach(name -> settle(shard, name));
        shard.recheck();
    }

    /** Tells a new shard who is a member. */
    void moveTo(ParameterShard shard) {
        listed.forEach(name -> settle(shard, name));
    }

    /** A worker is about to push: it is not idle any more. */
    void pushes(ParameterShard shard, Link link, long sequence) {
        links.put(link.peer(), link);
        pushed.merge(link.peer(), sequence, Math::max);
        settle(shard, link.peer());
    }

    /** A worker waits for another shard, behind a push. */
    void idles(ParameterShard shard, Link link, long sequence) {
        links.put(link.peer(), link);
        idle.merge(link.peer(), sequence, Math::max);
        settle(shard, link.peer());
    }

    /** A connection has broken: its worker says again when it is idle. */
    void closed(Link link) {
        if (links.remove(link.peer(), link)) {
            pushed.remove(link.peer());
            idle.remove(link.peer());
        }
    }

    /** Whether the worker is listed or connected. */
    boolean knows(String worker) {
        return listed.contains(worker) || links.containsKey(worker);
    }

    private void settle(ParameterShard shard, String worker) {
        if (listed.contains(worker) && !isIdle(worker)) {
            shard.join(worker);
        } else if (shard.members().contains(worker)) {
            shard.leave(worker);
        }
    }

    private boolean isIdle(String worker) {
        return idle.getOrDefault(worker, -1L) >= pushed.getOrDefault(worker, 0L);
    }
}
