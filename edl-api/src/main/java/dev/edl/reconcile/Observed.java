package dev.edl.reconcile;

import dev.edl.reconcile.internal.SlotMap;
import dev.edl.status.ObservedReplica;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything of one job that a substrate sees, at one moment that may lie in the past; immutable. A later observation is never
 * older than an earlier one.
 *
 * <p>Where a job has many replicas and a few of them change at a time, a substrate makes each observation of the last one, by
 * {@link #with}: to make it and to decide by it then costs what those cost that have changed.
 */
public final class Observed {
    private static final Observed NOTHING = new Observed(SlotMap.empty(), 0, Map.of(), Map.of());

    private final SlotMap<ObservedReplica> replicas;
    private final int noticedCount;
    private final Map<String, Instant> creations;
    private final Map<String, Instant> deletions;

    /**
     * All that is seen.
     *
     * @param replicas the objects there are, each name once, in any order
     */
    public Observed(Collection<ObservedReplica> replicas) {
        this(NOTHING.with(replicas, List.of()));
    }

    private Observed(Observed same) {
        this(same.replicas, same.noticedCount, same.creations, same.deletions);
    }

    private Observed(
            SlotMap<ObservedReplica> replicas,
            int noticed,
            Map<String, Instant> creations,
            Map<String, Instant> deletions) {
        this.replicas = replicas;
        this.noticedCount = noticed;
        this.creations = creations;
        this.deletions = deletions;
    }

    /** Nothing is there. */
    public static Observed nothing() {
        return NOTHING;
    }

    /**
     * Returns a copy with changes.
     *
     * @param changed new or changed objects, one per name; leave out unchanged ones, as a decision takes each for a change
     * @param gone the names of objects that were deleted; unknown names have no effect, and an object that is also in
     *     {@code changed} exists
     */
    public Observed with(Collection<ObservedReplica> changed, Collection<String> gone) {
        SlotMap.Editor<ObservedReplica> editor = replicas.edit();
        int notices = noticedCount;
        for (String name : gone) {
            notices -= notices(editor.get(name));
            editor.remove(name);
        }
        for (ObservedReplica replica : changed) {
            notices += notices(replica) - notices(editor.get(replica.name()));
            editor.put(replica.name(), replica);
        }
        return new Observed(editor.table(), notices, creations, deletions);
    }

    /**
     * Returns the same objects with the requests that were refused, each with the time before which it is not to be repeated.
     * No action that is held is decided; the decision is due again when the first of these times has come.
     *
     * @param creations by the replica's name
     * @param deletions by the replica's name, or the job's for its collection
     */
    public Observed holding(Map<String, Instant> creations, Map<String, Instant> deletions) {
        return new Observed(replicas, noticedCount, Map.copyOf(creations), Map.copyOf(deletions));
    }

    /** Returns when each creation that was refused may be repeated, by the replica's name. */
    Map<String, Instant> creations() {
        return creations;
    }

    /** Returns when each deletion that was refused may be repeated, by the replica's name or the job's. */
    Map<String, Instant> deletions() {
        return deletions;
    }

    private static int notices(@Nullable ObservedReplica replica) {
        return replica != null && replica.notice().isPresent() ? 1 : 0;
    }

    /** The objects there are, each name once; a new list each time. */
    public List<ObservedReplica> replicas() {
        return List.copyOf(replicas.values());
    }

    /** How many objects there are. */
    public int size() {
        return replicas.size();
    }

    /** What is seen of a replica; empty when nothing of the name is there. */
    public Optional<ObservedReplica> replica(String name) {
        return Optional.ofNullable(replicas.get(name));
    }

    /** How many replicas are on machines that are about to go. */
    public int noticedCount() {
        return noticedCount;
    }

    /** A number that is less for what comes earlier in {@link #replicas}. */
    int slot(String name) {
        return replicas.slot(name);
    }

    @Nullable
    ObservedReplica get(String name) {
        return replicas.get(name);
    }

    /** The names of the replicas of which this and another observation may differ. */
    Set<String> differing(Observed other) {
        return replicas.differing(other.replicas);
    }

    /** Whether the other one shows the same objects in the same states, in whatever order. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Observed seen && replicas.equals(seen.replicas);
    }

    @Override
    public int hashCode() {
        return replicas.hashCode();
    }

    @Override
    public String toString() {
        return "Observed" + replicas.values();
    }
}
