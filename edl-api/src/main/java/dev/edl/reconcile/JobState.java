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
 * Immutable state of a job that the core carries from one decision to the next. Another process can take the job over
 * with the plan and this state alone.
 */
@CoreStyle
@Value.Immutable
public abstract class JobState {
    JobState() {}

    /** Returns the state of a new job. */
    public static JobState initial(JobPlan plan) {
        Builder state = builder().phase(JobPhase.PENDING);
        for (RolePlan role : plan.roles()) {
            state.putDesired(role.type(), role.replicas());
            state.putNextIds(role.type(), 0);
        }
        return state.build();
    }

    /**
     * Parses the text of {@link #toJson}.
     *
     * @throws IllegalArgumentException when the text is not a valid state; the message has the path of the wrong value
     */
    public static JobState fromJson(String json) {
        return StateJson.read(json);
    }

    /** Returns the state as JSON on one line, for a journal; times have nanoseconds. */
    public final String toJson() {
        return String.join("", jsonParts());
    }

    /**
     * Returns the text of {@link #toJson} in parts: a head, a part for each replica, a tail. The part of an unchanged
     * replica is the same {@code String} object, except that of the first replica, so a state journal can skip it.
     */
    public final List<String> jsonParts() {
        return StateJson.parts(this);
    }

    /** Starts a state. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the job's phase. */
    public abstract JobPhase phase();

    /** Returns the reason of the phase, for people; empty when there is none. */
    @Value.Default
    public String message() {
        return "";
    }

    /** Returns the desired number of replicas of each role. */
    public abstract Map<RoleType, Integer> desired();

    /** Returns the exact, sorted ids of the replicas of pinned roles. A role that is missing here may have any ids. */
    public abstract Map<RoleType, List<Integer>> pinnedIds();

    /** Returns the lowest unused id of each role. */
    public abstract Map<RoleType, Integer> nextIds();

    /** Returns the replicas by name, in the order of their creation; the default is none. */
    @Value.Default
    public Replicas replicas() {
        return Replicas.none();
    }

    /**
     * Returns the time of the first decision. The deadline counts from it, or from {@link #resumedAt} if that is set.
     */
    public abstract Optional<Instant> startedAt();

    /** Returns the time of the last resume; empty if the job was never resumed. The deadline counts from it. */
    public abstract Optional<Instant> resumedAt();

    /** Returns the time at which the job ended. The time to live counts from it. */
    public abstract Optional<Instant> endedAt();

    /** Returns whether cancellation was requested. */
    @Value.Default
    public boolean cancelRequested() {
        return false;
    }

    /** Returns whether suspension was requested. */
    @Value.Default
    public boolean suspendRequested() {
        return false;
    }

    /** Returns the time of the last request to the substrate to remove the whole job. */
    public abstract Optional<Instant> collectRequestedAt();

    /** Returns whether the whole job was removed. */
    @Value.Default
    public boolean collected() {
        return false;
    }

    /** Returns a copy with another desired number of replicas; an ended job stays unchanged. */
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
     * Returns a copy in which a role has exactly these replica ids. An ended job stays unchanged. The reconciler
     * creates missing replicas and removes all others, whatever their index.
     *
     * @param role a role whose replicas keep their ids when they are relaunched
     * @param ids at least one id
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

    /** Returns a copy with cancellation requested; an ended job stays unchanged. */
    public final JobState withCancelled() {
        return phase().ended() ? this : copy().withCancelRequested(true);
    }

    /** Returns a copy with suspension or resumption requested; an ended job stays unchanged. */
    public final JobState withSuspended(boolean suspended) {
        return phase().ended() ? this : copy().withSuspendRequested(suspended);
    }

    /**
     * Returns a copy in phase FAILED, for a reason that no rule of the reconciler decided; this state if the job has
     * ended.
     */
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
                // The uid is its predecessor's.
                one -> ImmutableReplicaState.copyOf(one).withEverObserved(true).withUid(Optional.empty()));
    }

    /**
     * Returns a copy in which the observed replicas are marked as observed, for an observation without a decision.
     * Without this mark, a replica that is gone before the next observation would be created again.
     */
    public final JobState withObserved(Observed observed) {
        Set<String> names =
                observed.replicas().stream().map(ObservedReplica::name).collect(Collectors.toSet());
        return withChanged(names, replica -> ObservationRule.met(replica, observed));
    }

    /**
     * Returns a copy in which replicas whose first creation was decided but not requested wait again. A replica that
     * was requested before may exist and stays unchanged.
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
     * Returns a copy in which the creation of unobserved replicas counts from now, for requests that took long.
     *
     * @param names the replicas whose creation was just requested
     */
    public final JobState withRequested(Set<String> names, Instant now) {
        return withChanged(
                names,
                replica -> replica.stage() == ReplicaStage.PENDING && !replica.everObserved()
                        ? ImmutableReplicaState.copyOf(replica).withRequestedAt(now)
                        : replica);
    }

    /** Returns a copy with changed replicas, which the next decision checks. */
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

    /** Returns a copy that records the removal of all objects of the job. */
    public final JobState withCollected() {
        return copy().withCollected(true);
    }

    /**
     * Returns whether a driver that has only the earlier state can derive this one from the replicas that exist. Such
     * states differ only in whether observed replicas run, why they wait and when they were requested, and whether
     * replaced or removed replicas are gone. They may be persisted late.
     */
    public final boolean isDeferrableFrom(JobState earlier) {
        return this == earlier || StateChangeDeferral.from(earlier, this);
    }

    private ImmutableJobState copy() {
        return ImmutableJobState.copyOf(this);
    }

    /** Returns one line for the job and one line for each replica. */
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

    /** Builder of a state. */
    public static final class Builder extends ImmutableJobState.Builder {
        Builder() {}
    }
}
