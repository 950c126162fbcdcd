package dev.edl.reconcile;

import dev.edl.reconcile.internal.ImmutablesStyle;
import dev.edl.reconcile.internal.ShortUid;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.immutables.value.Value;

/**
 * Immutable state of one replica in a {@link JobState}. Successive replicas of one role and index occupy the same slot.
 */
@ImmutablesStyle
@Value.Immutable
public abstract class ReplicaState {
    /**
     * Reasons that the replica caused itself, whatever its exit code: out of memory, or over its disk limit. An
     * eviction by node pressure is {@link dev.edl.status.ObservedPhase#DISRUPTED} instead.
     */
    private static final Set<String> OWN_DOING = Set.of("OOMKilled", "Evicted");

    ReplicaState() {}

    /** Returns an empty builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the replica's name. */
    public abstract String name();

    /** Returns the replica's role. */
    public abstract RoleType role();

    /**
     * Returns the replica's id. No later replica gets this id if {@link dev.edl.plan.RolePlan#freshIds} is true for the
     * role.
     */
    public abstract int id();

    /** Returns the replica's index in its role; a successor has the same index. */
    public abstract int index();

    /** Returns the replica's stage. */
    public abstract ReplicaStage stage();

    /** Returns the number of relaunches in the replica's slot that counted against the role's relaunch limit. */
    @Value.Default
    public int relaunchesUsed() {
        return 0;
    }

    /**
     * Returns the number of relaunches under this name. Always 0 if {@link dev.edl.plan.RolePlan#freshIds} is true for
     * the role, since a successor then has a new name.
     */
    @Value.Default
    public int restarts() {
        return 0;
    }

    /**
     * Returns the number of consecutive relaunches in the replica's slot after temporary exit codes, including the one
     * that created this replica.
     */
    @Value.Default
    public int retries() {
        return 0;
    }

    /**
     * Returns whether an observation has contained the replica's object since its last creation. Only then does the
     * object's absence from a later observation mean that it was deleted.
     */
    @Value.Default
    public boolean everObserved() {
        return false;
    }

    /**
     * Returns the uid of the last object that was observed under its name; empty if none was, or if the substrate has
     * no uids. Until the replica itself is {@link #everObserved observed}, this is its predecessor's uid. After
     * {@link JobState#fromJson}, only the uid's last eight digits are known until the next observation.
     */
    public abstract Optional<String> uid();

    /**
     * Returns the time at which the replica's creation was decided. Before that, the time at which the replica was
     * added to the state; for a successor of the same name, its predecessor's time.
     */
    public abstract Instant createdAt();

    /** Returns the time at which the replica's end was observed or its removal was decided; empty before. */
    public abstract Optional<Instant> endedAt();

    /**
     * Returns the time before which the replica is not created, after a backoff or the delay of a retry; empty if it
     * need not wait.
     */
    public abstract Optional<Instant> backoffUntil();

    /** Returns the time of the last request to create or delete it, which limits how often the request is repeated. */
    public abstract Optional<Instant> requestedAt();

    /**
     * Returns the text of the node notice that was last reported for the replica; empty without notice, or after the
     * node's notice has ended.
     */
    public abstract Optional<String> drainNotice();

    /**
     * Returns the time at which the replica's deletion was requested because of its node's notice. A successor has its
     * predecessor's time until it runs.
     */
    public abstract Optional<Instant> drainedAt();

    /** Returns the exit code of the ended replica; empty before its end, or if the substrate reports none. */
    public abstract OptionalInt exitCode();

    /**
     * Returns the time since which the replica cannot start. If its old object prevents the start and is force-deleted,
     * this is the time of the last force deletion. Empty if nothing prevents the start.
     */
    public abstract Optional<Instant> blockedSince();

    /**
     * Returns the short reason of the replica's end or removal; before its start, the reason why it does not run yet.
     */
    public abstract Optional<String> reason();

    /** Returns the explanation of the replica's end, or of an old object that prevents its relaunch, in sentences. */
    public abstract Optional<String> message();

    /**
     * Returns whether EDL requested the deletion of this replica because of its node's notice. False for the successor,
     * which has only the time {@link #drainedAt}.
     */
    final boolean isDraining() {
        return drainNotice().isPresent() && drainedAt().isPresent();
    }

    /**
     * Returns whether an observed object of the replica's name does not belong to this replica, but to its predecessor
     * or a replacement. False if the uid of either is unknown.
     */
    final boolean isOtherObject(ObservedReplica object) {
        return uid().isPresent()
                && object.uid().isPresent()
                && everObserved() != ShortUid.same(uid().get(), object.uid().get());
    }

    /** Returns whether the replica exceeded its memory or disk limit, so that its exit code carries no information. */
    final boolean overused() {
        return reason().filter(OWN_DOING::contains).isPresent();
    }

    /**
     * Returns, for messages, how the replica ended: {@code exit code 137 (OOMKilled): its limit of memory is 1Gi},
     * {@code deleted}.
     */
    final String endWords() {
        Optional<String> why = reason().filter(text -> !text.isEmpty());
        String end = exitCode().isPresent()
                ? "exit code " + exitCode().getAsInt()
                        + why.map(text -> " (" + text + ")").orElse("")
                : why.orElse("no exit code");
        return message().map(more -> end + ": " + more).orElse(end);
    }

    /** Returns the {@link #uid} as a written state has it: the last eight digits of a UUID; any other uid unchanged. */
    public final Optional<String> shortUid() {
        return uid().map(ShortUid::of);
    }

    /** Returns a comma followed by the JSON of this replica. The text is computed once. */
    @Value.Lazy
    String jsonWithComma() {
        return "," + StateJson.write(this);
    }

    /** Returns a line such as {@code elasticdl-mnist-worker-4 FAILED exit 137 (OOMKilled)}. */
    @Override
    public final String toString() {
        return name() + " " + stage()
                + (exitCode().isPresent() ? " exit " + exitCode().getAsInt() : "")
                + reason().map(r -> " (" + r + ")").orElse("");
    }

    /** Builder of a replica's state. */
    public static final class Builder extends ImmutableReplicaState.Builder {
        Builder() {}
    }
}
