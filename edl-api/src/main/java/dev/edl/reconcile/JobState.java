package dev.edl.reconcile;

import dev.edl.RoleType;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.internal.CoreStyle;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.immutables.value.Value;

/**
 * Everything the core remembers of a job from one decision to the next; immutable. With the plan it is all that another
 * process needs to take the job over.
 */
@CoreStyle
@Value.Immutable
public abstract class JobState {
    JobState() {}

    /** A job that nothing was done for yet. */
    public static JobState initial(JobPlan plan) {
        Builder state = builder().phase(JobPhase.PENDING);
        for (RolePlan role : plan.roles()) {
            state.putDesired(role.type(), role.replicas());
            state.putNextIds(role.type(), 0);
        }
        return state.build();
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws IllegalArgumentException for a text that is no state, with the path of what is wrong
     */
    public static JobState fromJson(String json) {
        return StateJson.read(json);
    }

    /** The whole state as JSON on one line, for where it is kept; times to the nanosecond. */
    public final String toJson() {
        return String.join("", jsonParts());
    }

    /**
     * Returns the text of {@link #toJson} in parts. The part of an unchanged replica is the same {@code String} object, except the
     * first part. So a journal can skip unchanged parts.
     */
    public final List<String> jsonParts() {
        return StateJson.parts(this);
    }

    /** Starts a state. */
    public static Builder builder() {
        return new Builder();
    }

    /** Where the job is. */
    public abstract JobPhase phase();

    /** Why it is there, as a person reads it; empty when there is nothing to say. */
    @Value.Default
    public String message() {
        return "";
    }

    /** How many replicas each role is to have. */
    public abstract Map<RoleType, Integer> desired();

    /** Exactly which ids each role is to have, sorted; of a role that is not here any will do, as many as are desired. */
    public abstract Map<RoleType, List<Integer>> pinnedIds();

    /** The first id of each role that was never used. */
    public abstract Map<RoleType, Integer> nextIds();

    /** The replicas by name, in the order of their creation; none when nothing is said. */
    @Value.Default
    public Replicas replicas() {
        return Replicas.none();
    }

    /** When the first decision was made; the deadline counts from here, unless it was resumed since. */
    public abstract Optional<Instant> startedAt();

    /** When the job was last resumed, when it was; the deadline counts from here then. */
    public abstract Optional<Instant> resumedAt();

    /** When the job ended; the time to live counts from here. */
    public abstract Optional<Instant> endedAt();

    /** Whether the job is to be stopped. */
    @Value.Default
    public boolean cancelRequested() {
        return false;
    }

    /** Whether nothing of the job is to run for now. */
    @Value.Default
    public boolean suspendRequested() {
        return false;
    }

    /** When the substrate was last asked to remove the whole job. */
    public abstract Optional<Instant> collectRequestedAt();

    /** Whether the whole job was removed. */
    @Value.Default
    public boolean collected() {
        return false;
    }

    /** The same with another number of replicas wanted; an ended job is not changed. */
    public final JobState withDesired(RoleType role, int replicas) {
        if (phase().ended()) {
            return this;
        }
        Map<RoleType, Integer> wanted = new LinkedHashMap<>(desired());
        wanted.put(role, replicas);
        Map<RoleType, List<Integer>> exactly = new LinkedHashMap<>(pinnedIds());
        exactly.remove(role);
        return copy().withDesired(wanted).withPinnedIds(exactly);
    }

    /**
     * The same where a role is to have exactly these replicas: those that are missing are created, others are removed, wherever
     * in the role they are. An ended job is not changed.
     *
     * @param role one whose replicas keep their ids when they are relaunched
     * @param ids at least one
     */
    public final JobState withPinnedIds(RoleType role, Collection<Integer> ids) {
        if (phase().ended()) {
            return this;
        }
        List<Integer> sorted = ids.stream().distinct().sorted().toList();
        Map<RoleType, List<Integer>> exactly = new LinkedHashMap<>(pinnedIds());
        exactly.put(role, sorted);
        Map<RoleType, Integer> wanted = new LinkedHashMap<>(desired());
        wanted.put(role, sorted.size());
        return copy().withDesired(wanted).withPinnedIds(exactly);
    }

    /** The same, to be stopped; an ended job is not changed. */
    public final JobState withCancelled() {
        return phase().ended() ? this : copy().withCancelRequested(true);
    }

    /** The same, to be suspended or to go on; an ended job is not changed. */
    public final JobState withSuspended(boolean suspended) {
        return phase().ended() ? this : copy().withSuspendRequested(suspended);
    }

    /** The same, failed for a reason outside of the core; an ended job is not changed. */
    public final JobState withFailed(String why, Instant at) {
        return phase().ended()
                ? this
                : copy().withPhase(JobPhase.FAILED)
                        .withMessage(why)
                        .withStartedAt(startedAt().orElse(at))
                        .withEndedAt(at);
    }

    /**
     * Returns a copy in which a replica counts as observed. A driver that deletes a replica by a request of its own sets this: the
     * replica may vanish before an observation shows it, and only an observed replica can be missing.
     */
    public final JobState withObserved(String replica) {
        ReplicaState known = replicas().get(replica);
        if (known == null || known.everObserved() || known.stage() == ReplicaStage.WAITING) {
            return this;
        }
        return withChanged(
                Set.of(replica),
                // The uid was its predecessor's.
                one -> ImmutableReplicaState.copyOf(one).withEverObserved(true).withUid(Optional.empty()));
    }

    /**
     * Returns the same, where the replicas whose objects were observed count as seen: for an observation by which nothing was
     * decided. An object that is gone before the next observation would else be created again.
     */
    public final JobState withObserved(Observed observed) {
        Set<String> names =
                observed.replicas().stream().map(ObservedReplica::name).collect(Collectors.toSet());
        return withChanged(names, replica -> ObservationRule.met(replica, observed));
    }

    /**
     * The same, where of the replicas that the substrate was to create for the first time some were not asked for, and so wait as
     * before. What was asked for again may be there, and is not changed.
     */
    public final JobState withNotCreated(Set<String> names) {
        return withChanged(
                names,
                replica -> firstAsked(replica)
                        ? ImmutableReplicaState.copyOf(replica)
                                .withStage(ReplicaStage.WAITING)
                                .withRequestedAt(Optional.empty())
                        : replica);
    }

    /**
     * The same when it took long to ask for some replicas: those that were not seen yet were asked for now, and not when it was
     * decided.
     *
     * @param names of replicas whose creation was just asked for
     */
    public final JobState withRequested(Set<String> names, Instant now) {
        return withChanged(
                names,
                replica -> replica.stage() == ReplicaStage.PENDING && !replica.everObserved()
                        ? ImmutableReplicaState.copyOf(replica).withRequestedAt(now)
                        : replica);
    }

    /** The next decision looks at all that is changed here. */
    private JobState withChanged(Set<String> names, UnaryOperator<ReplicaState> how) {
        Replicas.Editor editor = replicas().edit();
        for (String name : names) {
            ReplicaState known = editor.get(name);
            ReplicaState changed = known == null ? null : how.apply(known);
            if (changed != null && changed != known) {
                editor.put(changed);
            }
        }
        return copy().withReplicas(editor.replicas());
    }

    private static boolean firstAsked(ReplicaState replica) {
        return replica.stage() == ReplicaStage.PENDING
                && !replica.everObserved()
                && replica.requestedAt().equals(Optional.of(replica.createdAt()));
    }

    /** The same after everything of the job was removed. */
    public final JobState withCollected() {
        return copy().withCollected(true);
    }

    /**
     * Returns whether a driver that has only the earlier state can derive this one from the replicas that exist. Such states
     * differ only in whether observed replicas run, why they wait and when they were requested, and whether replaced or removed
     * ones are gone. They may be persisted late.
     */
    public final boolean isDeferrableFrom(JobState earlier) {
        return this == earlier || DeferrableChange.from(earlier, this);
    }

    private ImmutableJobState copy() {
        return ImmutableJobState.copyOf(this);
    }

    /** One line for the job, one for each replica. */
    @Override
    public final String toString() {
        String wants = desired().entrySet().stream()
                .map(e -> e.getKey() + " " + e.getValue())
                .collect(Collectors.joining(", "));
        return phase() + (message().isEmpty() ? "" : ": " + message()) + ", wants " + wants
                + (cancelRequested() && !phase().ended() ? ", to be cancelled" : "")
                + (suspendRequested() && phase() != JobPhase.SUSPENDED && !phase().ended() ? ", to be suspended" : "")
                + replicas().values().stream().map(r -> "\n  " + r).collect(Collectors.joining());
    }

    /** Collects the parts. */
    public static final class Builder extends ImmutableJobState.Builder {
        Builder() {}
    }
}
