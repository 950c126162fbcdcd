package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ports.Term;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** When a master takes cuts, and which one is the newest checkpoint. One cut is under way at a time. */
final class Checkpoints {
    /** The time between a cut that was given up and the next one. */
    private static final long PAUSE = Duration.ofMillis(500).toNanos();

    private final ServerSeats servers;
    private final List<Effect> out;
    private final long every;
    private @Nullable CutId newest;
    private @Nullable CutInProgress cut;
    private Effect.@Nullable Commit committing;
    /** Whether the last cut was begun because all is trained. */
    private boolean ending;

    private long cuts;
    private long nextAt;

    Checkpoints(ServerSeats servers, Duration every, @Nullable CutId newest, List<Effect> out) {
        this.servers = servers;
        this.every = every.toNanos();
        this.newest = newest;
        this.out = out;
    }

    /** Returns the newest cut that has a manifest; null for none. */
    @Nullable
    CutId newest() {
        return newest;
    }

    /** Counts the time to the next cut from now on. */
    void rest(boolean trained, long now) {
        nextAt = now + (trained ? PAUSE : every);
    }

    /** Whether members stay as they are, so that no round ends at one side of a cut only. */
    boolean keepsMembers() {
        CutInProgress present = cut;
        return present != null && present.holds();
    }

    /** Gives up a cut that cannot end, and returns whether the next one is due. */
    boolean isDue(boolean trained, long now) {
        CutInProgress present = cut;
        if (present != null && (present.due(now) || !servers.all(present::isOf))) {
            present.giveUp();
            cut = null;
            nextAt = now + PAUSE;
        }
        return cut == null
                && committing == null
                && servers.all(ServerSeat::isReady)
                && (now >= nextAt || (trained && !ending));
    }

    void begin(Term term, boolean trained, long now) {
        ending = trained;
        cut = new CutInProgress(new CutId(term, cuts++), servers, out, now);
    }

    /**
     * Takes an answer of a server.
     *
     * @return all parts of the cut, once they are written; else null
     */
    @Nullable
    List<ShardToMaster.Saved> answered(ServerSeat server, ShardToMaster answer, Predicate<String> open, long now) {
        CutInProgress present = cut;
        return present == null ? null : present.answered(server, answer, open, now);
    }

    /** Makes a checkpoint of parts that are all written. */
    void write(List<ShardToMaster.Saved> parts, boolean last) {
        ShardToMaster.Saved first = parts.get(0);
        boolean exact =
                parts.stream().allMatch(part -> part.applied() == first.applied() && part.pending() == first.pending());
        cut = null;
        committing = new Effect.Commit(first.cut(), exact, last);
        out.add(committing);
    }

    /** Whether the manifest of the result is being written: what a server has lost since is in its part. */
    boolean writesResult() {
        Effect.Commit begun = committing;
        return begun != null && begun.last();
    }

    /** The manifest is written; returns whether it is that of the result. */
    boolean committed(CutId written) {
        Effect.Commit begun = committing;
        if (begun == null || !written.equals(begun.cut())) {
            return false;
        }
        committing = null;
        newest = written;
        return begun.last();
    }

    long wakeAt() {
        CutInProgress present = cut;
        if (present != null) {
            return present.dueAt();
        }
        return committing == null && servers.all(ServerSeat::isReady) ? nextAt : Machine.NEVER;
    }
}
