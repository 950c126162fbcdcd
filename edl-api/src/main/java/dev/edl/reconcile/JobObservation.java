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
 * Immutable observation of all objects of one job at one moment, which may lie in the past. A later observation is
 * never older than an earlier one.
 *
 * <p>If a job has many replicas, a substrate derives each observation from the last one by {@link #with}. The cost of
 * the observation and of the next reconcile pass is then proportional to the number of changed replicas.
 */
public final class JobObservation {
    private static final JobObservation NOTHING = new JobObservation(SlotMap.empty(), 0, Map.of(), Map.of());

    private final SlotMap<ObservedReplica> replicas;
    private final int noticedCount;
    private final Map<String, Instant> creations;
    private final Map<String, Instant> deletions;

    /**
     * Creates an observation.
     *
     * @param replicas the objects that exist, in any order, with distinct names
     */
    public JobObservation(Collection<ObservedReplica> replicas) {
        this(NOTHING.with(replicas, List.of()));
    }

    private JobObservation(JobObservation same) {
        this(same.replicas, same.noticedCount, same.creations, same.deletions);
    }

    private JobObservation(
            SlotMap<ObservedReplica> replicas,
            int noticed,
            Map<String, Instant> creations,
            Map<String, Instant> deletions) {
        this.replicas = replicas;
        this.noticedCount = noticed;
        this.creations = creations;
        this.deletions = deletions;
    }

    /** Returns an observation without objects. */
    public static JobObservation nothing() {
        return NOTHING;
    }

    /**
     * Returns a copy in which some objects are added or changed, and others are removed.
     *
     * @param changed new or changed objects, one per name; leave out unchanged ones, since a reconcile pass treats each
     *     as a change
     * @param gone the names of deleted objects; an unknown name has no effect, and an object that is also in
     *     {@code changed} exists
     */
    public JobObservation with(Collection<ObservedReplica> changed, Collection<String> gone) {
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
        return new JobObservation(editor.table(), notices, creations, deletions);
    }

    /**
     * Returns a copy that also has the requests that the substrate has refused, each with the earliest time of its
     * retry. Until that time the reconciler does not decide the request again. It schedules the next pass for the
     * earliest of these times.
     *
     * @param creations retry times of refused creations, by the replica's name
     * @param deletions retry times of refused deletions, by the replica's name, or by the job's name for the deletion
     *     of all its objects
     */
    public JobObservation holding(Map<String, Instant> creations, Map<String, Instant> deletions) {
        return new JobObservation(replicas, noticedCount, Map.copyOf(creations), Map.copyOf(deletions));
    }

    /** Returns the earliest retry of each refused creation, by the replica's name. */
    Map<String, Instant> creations() {
        return creations;
    }

    /**
     * Returns the earliest retry time of each refused deletion, by the replica's name, or by the job's name for the
     * deletion of all its objects.
     */
    Map<String, Instant> deletions() {
        return deletions;
    }

    private static int notices(@Nullable ObservedReplica replica) {
        return replica != null && replica.notice().isPresent() ? 1 : 0;
    }

    /** Returns the objects that exist, with distinct names, in a new list. */
    public List<ObservedReplica> replicas() {
        return List.copyOf(replicas.values());
    }

    /** Returns the number of objects that exist. */
    public int size() {
        return replicas.size();
    }

    /** Returns a replica's object; empty if no object with the name exists. */
    public Optional<ObservedReplica> replica(String name) {
        return Optional.ofNullable(replicas.get(name));
    }

    /** Returns the number of replicas whose node has a notice. */
    public int noticedCount() {
        return noticedCount;
    }

    /**
     * Returns a number by which names sort as their objects do in {@link #replicas}; -1 for an unknown name. It is no
     * slot of a role.
     */
    int slot(String name) {
        return replicas.slot(name);
    }

    @Nullable
    ObservedReplica get(String name) {
        return replicas.get(name);
    }

    /** Returns the names of replicas that may differ between this observation and another one. */
    Set<String> differing(JobObservation other) {
        return replicas.differing(other.replicas);
    }

    /** Returns whether the other observation has equal objects, in any order. Ignores the refused requests. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobObservation seen && replicas.equals(seen.replicas);
    }

    @Override
    public int hashCode() {
        return replicas.hashCode();
    }

    @Override
    public String toString() {
        return "JobObservation" + replicas.values();
    }
}
