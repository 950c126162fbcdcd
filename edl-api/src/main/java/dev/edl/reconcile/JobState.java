package dev.edl.reconcile;

import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.reconcile.internal.ImmutablesStyle;
import dev.edl.spec.RoleType;
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
 * Immutable state of a job that a driver passes from one reconcile pass to the next. Another process can take the job
 * over with the plan and this state alone.
 */
@ImmutablesStyle
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

    /** Returns the state as JSON on one line, for the state journal; times have nanoseconds. */
    public final String toJson() {
        return String.join("", jsonParts());
    }

    /**
     * Returns the text of {@link #toJson} in parts: a head, a part for each replica, a tail. A replica that did not
     * change between two states has the same {@code String} object as its part in both, so that a state journal can
     * skip it. The first replica's part is a new object each time.
     */
    public final List<String> jsonParts() {
        return StateJson.parts(this);
    }

    /** Returns a builder without values. */
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

    /** Returns the desired number of replicas of each role, before the role's bounds apply. */
    public abstract Map<RoleType, Integer> desired();

    /**
     * Returns the pinned ids by role: exactly these replicas exist, ids sorted. A role without pinned ids is missing in
     * the map.
     */
    public abstract Map<RoleType, List<Integer>> pinnedIds();

    /** Returns, for each role, the id after the highest id that was used; 0 before any. */
    public abstract Map<RoleType, Integer> nextIds();

    /** Returns the replicas by name, in the order of their creation; the default is none. */
    @Value.Default
    public ReplicaStates replicas() {
        return ReplicaStates.none();
    }

    /**
     * Returns the time of the first reconcile decision; empty before it. The deadline counts from it, or from
     * {@link #resumedAt} if that is set.
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

    /** Returns the time of the last request to the substrate to delete all objects of the job. */
    public abstract Optional<Instant> collectRequestedAt();

    /** Returns whether the substrate has deleted all objects of the job. */
    @Value.Default
    public boolean collected() {
        return false;
    }

    /**
     * Returns a copy in which a role has another desired number of replicas, and no pinned ids. The state of an ended
     * job is returned unchanged.
     */
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
     * Returns a copy in which a role has exactly these replica ids. The state of an ended job is returned unchanged.
     * The reconciler creates missing replicas and removes all others except the leader, regardless of their index.
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

    /**
     * Returns a copy in which suspension is requested, or, if {@code suspended} is false, resumption. The state of an
     * ended job is returned unchanged.
     */
    public final JobState withSuspended(boolean suspended) {
        return phase().ended() ? this : copy().withSuspendRequested(suspended);
    }

    /**
     * Returns a copy in phase FAILED, for a failure outside the reconciler. The state of an ended job is returned
     * unchanged.
     *
     * @param why the reason, for people
     * @param at the time of the failure
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
     * Returns a copy in which a replica counts as observed, with unknown uid. A replica that waits or was observed
     * before stays unchanged; an unknown name has no effect.
     *
     * <p>A driver calls this before it deletes a replica without a reconcile decision. The replica's object may then
     * vanish before an observation contains it. Without this mark, the reconciler would request the creation of such a
     * replica again, instead of treating it as deleted.
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
     * Returns a copy in which the replicas in an observation count as observed, for an observation whose decision was
     * not persisted. Otherwise a replica that is gone before the next observation would be created again, instead of
     * being treated as deleted.
     */
    public final JobState withObserved(JobObservation observed) {
        Set<String> names =
                observed.replicas().stream().map(ObservedReplica::name).collect(Collectors.toSet());
        return withChanged(names, replica -> ObservationRule.met(replica, observed));
    }

    /**
     * Returns a copy in which the named replicas wait again, since their creation was decided but not requested. A
     * replica whose creation was requested in an earlier pass may exist, and stays unchanged.
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
     * Returns a copy in which the creation of the named replicas was requested now, unless they were observed. A driver
     * calls this after requests that took long, so that it does not repeat them before an observation can show the
     * replicas.
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

    /**
     * Returns a copy in which the named replicas are changed by a function. The next reconcile pass checks the changed
     * replicas.
     */
    private JobState withChanged(Set<String> names, UnaryOperator<ReplicaState> how) {
        ReplicaStates.Editor editor = replicas().edit();
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

    /** Returns a copy that states that all objects of the job are deleted. */
    public final JobState withCollected() {
        return copy().withCollected(true);
    }

    /**
     * Returns whether a driver that has only the earlier state can derive this one from the replicas that exist. If so,
     * this state may be persisted late. The two states then differ only in whether observed replicas run, why they wait
     * and when they were requested, and whether replaced or removed replicas are gone.
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
