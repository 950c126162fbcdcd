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
 * What the core knows of one replica; immutable. The lineage of a replica is itself, the one it took over for, and so on.
 */
@CoreStyle
@Value.Immutable
public abstract class ReplicaState {
    ReplicaState() {}

    /** Starts a state. */
    public static Builder builder() {
        return new Builder();
    }

    /** Its name. */
    public abstract String name();

    /** Its role. */
    public abstract RoleType role();

    /** Its id; in a worker role never used twice. */
    public abstract int id();

    /** Its place in the role, which is its lineage's. */
    public abstract int index();

    /** Where it is in its life. */
    public abstract ReplicaStage stage();

    /** Relaunches that its lineage has spent of its limit. */
    @Value.Default
    public int relaunchesUsed() {
        return 0;
    }

    /** How often this name was started again; always 0 for workers, which get new names. */
    @Value.Default
    public int restarts() {
        return 0;
    }

    /** How many relaunches of its lineage in a row followed a temporary exit code, the one to it included. */
    @Value.Default
    public int retries() {
        return 0;
    }

    /** Whether an observation has shown it since it was last created; one that was never seen cannot be missing. */
    @Value.Default
    public boolean everObserved() {
        return false;
    }

    /**
     * The uid of the object that was last observed under its name: its own once it was {@link #everObserved}, before that its predecessor's.
     * Empty where none was observed, or the substrate has no uids. Of a state that was read, it is the uid's last eight digits until the
     * next observation.
     */
    public abstract Optional<String> uid();

    /** When it was decided to create it. */
    public abstract Instant createdAt();

    /** When it was seen to have ended. */
    public abstract Optional<Instant> endedAt();

    /** When the delay of its relaunch is over. */
    public abstract Optional<Instant> backoffUntil();

    /** When the substrate was last asked to create or delete it, so that it is not asked all the time. */
    public abstract Optional<Instant> requestedAt();

    /** The notice that its machine is about to go, as it was told. */
    public abstract Optional<String> drainNotice();

    /**
     * When it was told to leave its machine, if it was; of one that took over from such a one, when that one was, until it runs.
     */
    public abstract Optional<Instant> drainedAt();

    /** How it ended. */
    public abstract OptionalInt exitCode();

    /** Since when it cannot start, if it cannot. */
    public abstract Optional<Instant> blockedSince();

    /** Why it ended; of one that was created, why it does not run yet. */
    public abstract Optional<String> reason();

    /** Why it ended, in sentences. */
    public abstract Optional<String> message();

    /** Whether it was told to leave its machine, and has not been seen to. */
    final boolean isDraining() {
        return drainNotice().isPresent() && drainedAt().isPresent();
    }

    /**
     * Returns whether an observed object of its name is not the replica: another one after it was seen, or its predecessor before.
     * Objects without a uid are not told apart.
     */
    final boolean isOtherObject(ObservedReplica object) {
        return uid().isPresent()
                && object.uid().isPresent()
                && everObserved() != ShortUid.same(uid().get(), object.uid().get());
    }

    /** Returns what a state that is written keeps of the {@link #uid}: the last eight digits of a UUID, another uid as it is. */
    public final Optional<String> shortUid() {
        return uid().map(ShortUid::of);
    }

    /** Its JSON behind a comma, made once. */
    @Value.Lazy
    String jsonWithComma() {
        return "," + StateJson.write(this);
    }

    /** For example {@code elasticdl-mnist-worker-4 FAILED exit 137 (OOMKilled)}. */
    @Override
    public final String toString() {
        return name() + " " + stage()
                + (exitCode().isPresent() ? " exit " + exitCode().getAsInt() : "")
                + reason().map(r -> " (" + r + ")").orElse("");
    }

    /** Collects the parts. */
    public static final class Builder extends ImmutableReplicaState.Builder {
        Builder() {}
    }
}
