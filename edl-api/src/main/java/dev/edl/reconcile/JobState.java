package dev.edl.reconcile;

import dev.edl.RoleType;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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
        return StateText.read(json);
    }

    /** The whole state as JSON on one line, for where it is kept; times to the nanosecond. */
    public final String toJson() {
        return StateText.write(this);
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

    /** The first id of each role that was never used. */
    public abstract Map<RoleType, Integer> nextIds();

    /** The replicas by name, in the order of their creation. */
    public abstract Map<String, ReplicaState> replicas();

    /** When the first decision was made; the deadline counts from here. */
    public abstract Optional<Instant> startedAt();

    /** When the job ended; the time to live counts from here. */
    public abstract Optional<Instant> endedAt();

    /** Whether the job is to be stopped. */
    @Value.Default
    public boolean cancelRequested() {
        return false;
    }

    /** When the substrate was last asked to remove the whole job. */
    public abstract Optional<Instant> collectAsked();

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
        return copy().withDesired(wanted);
    }

    /** The same, to be stopped; an ended job is not changed. */
    public final JobState withCancelled() {
        return phase().ended() ? this : copy().withCancelRequested(true);
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
     * The same, where a replica counts as seen: whoever deletes a replica by hand says so, since it may be gone before an
     * observation shows it, and one that was never seen cannot be missing.
     */
    public final JobState withSeen(String replica) {
        ReplicaState known = replicas().get(replica);
        if (known == null || known.stage() == ReplicaStage.WAITING) {
            return this;
        }
        Map<String, ReplicaState> changed = new LinkedHashMap<>(replicas());
        changed.put(replica, ImmutableReplicaState.copyOf(known).withSeen(true));
        return copy().withReplicas(changed);
    }

    /** The same after everything of the job was removed. */
    public final JobState withCollected() {
        return copy().withCollected(true);
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
                + replicas().values().stream().map(r -> "\n  " + r).collect(Collectors.joining());
    }

    /** Collects the parts. */
    public static final class Builder extends ImmutableJobState.Builder {
        Builder() {}
    }
}
