package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.Term;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** What a master orders a parameter server to do. A server follows the highest term that it has seen, and refuses every other. */
public sealed interface MasterToShard extends Message {
    /** Returns the term of the master. */
    Term term();

    /**
     * Orders a shard to live. One that has this life already keeps its state; every other takes the state of a checkpoint.
     *
     * @param restore the committed cut to take the state from; null for the initial values
     */
    record Order(Term term, ShardLife life, @Nullable CutId restore) implements MasterToShard {}

    /** Says for which workers rounds wait, in the place of an earlier list. */
    record Members(Term term, long epoch, SortedSet<String> workers) implements MasterToShard {}

    /** Asks how many of some consecutive pushes the shard holds, in one life. */
    record Confirm(Term term, ShardLife life, long request, long firstPushId, int count) implements MasterToShard {}

    /** Stops pushes with a newer sequence than the shard has taken. */
    record Hold(Term term, CutId cut) implements MasterToShard {}

    /** Lets pushes in up to a sequence of each worker. */
    record Flush(Term term, CutId cut, Map<String, Long> sequences) implements MasterToShard {}

    /** Orders a copy of the state, which is written behind it. */
    record Save(Term term, CutId cut) implements MasterToShard {}

    /**
     * Ends a hold.
     *
     * @param follow sequences that the shard counts as taken, since they do not come; empty for none
     */
    record Go(Term term, CutId cut, Map<String, Long> follow) implements MasterToShard {}

    /** Ends the server: the result is written. */
    record Leave(Term term) implements MasterToShard {}

    /** Ends a server that still runs: another one has its place. */
    record Replaced(Term term) implements MasterToShard {}
}
