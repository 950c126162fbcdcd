package dev.edl.reconcile;

import dev.edl.RoleType;
import dev.edl.reconcile.internal.CoreStyle;
import dev.edl.reconcile.internal.ShortUid;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import org.immutables.value.Value;

/**
 * Immutable state of one replica in a {@link JobState}. Successive replicas of one role and index occupy the same slot.
 */
@CoreStyle
@Value.Immutable
public abstract class ReplicaState {
    ReplicaState() {}

    /** Starts a state. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the replica's name. */
    public abstract String name();

    /** Returns the replica's role. */
    public abstract RoleType role();

    /** Returns the replica's id; an id of a worker is never used again. */
    public abstract int id();

    /** Returns the replica's index in its role; a successor has the same index. */
    public abstract int index();

    /** Returns the replica's stage. */
    public abstract ReplicaStage stage();

    /** Returns the number of relaunches of its slot that counted against the limit. */
    @Value.Default
    public int relaunchesUsed() {
        return 0;
    }

    /** Returns the number of restarts under this name; always 0 for workers, which get new names. */
    @Value.Default
    public int restarts() {
        return 0;
    }

    /** Returns the number of consecutive relaunches of its slot after temporary exit codes, including its own. */
    @Value.Default
    public int retries() {
        return 0;
    }

    /** Returns whether an observation has shown it since its last creation. Only an observed replica can be missing. */
    @Value.Default
    public boolean everObserved() {
        return false;
    }

    /**
     * Returns the uid of the last object that was observed under its name; empty if none was, or if the substrate has
     * no uids. Before the replica itself was {@link #everObserved observed}, this is its predecessor's uid. A state
     * that was parsed has the last eight digits only, until the next observation.
     */
    public abstract Optional<String> uid();

    /** Returns the time at which its creation was decided. */
    public abstract Instant createdAt();

    /** Returns the time at which its end was observed. */
    public abstract Optional<Instant> endedAt();

    /** Returns the end of its relaunch backoff. */
    public abstract Optional<Instant> backoffUntil();

    /** Returns the time of the last request to create or delete it, which limits how often the request is repeated. */
    public abstract Optional<Instant> requestedAt();

    /** Returns the last reported notice that its node is about to be drained. */
    public abstract Optional<String> drainNotice();

    /**
     * Returns the time at which it was deleted because of its node's notice. A successor has its predecessor's time
     * until it runs.
     */
    public abstract Optional<Instant> drainedAt();

    /** Returns the exit code of the ended replica; empty before its end, or if the substrate reports none. */
    public abstract OptionalInt exitCode();

    /** Returns the time since which the replica cannot start; empty if nothing prevents its start. */
    public abstract Optional<Instant> blockedSince();

    /** Returns the reason of its end, in a word; before its start, the reason why it does not run yet. */
    public abstract Optional<String> reason();

    /** Returns the reason of its end, in sentences. */
    public abstract Optional<String> message();

    /** Returns whether it was deleted because of its node's notice and the deletion was not observed yet. */
    final boolean isDraining() {
        return drainNotice().isPresent() && drainedAt().isPresent();
    }

    /**
     * Returns whether an observed object of its name is another object: its predecessor or a replacement. Objects
     * without a uid count as the same.
     */
    final boolean isOtherObject(ObservedReplica object) {
        return uid().isPresent()
                && object.uid().isPresent()
                && everObserved() != ShortUid.same(uid().get(), object.uid().get());
    }

    /** Returns the {@link #uid} as a written state has it: the last eight digits of a UUID; any other uid unchanged. */
    public final Optional<String> shortUid() {
        return uid().map(ShortUid::of);
    }

    /** Returns a comma followed by the JSON of this replica. Cached. */
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
