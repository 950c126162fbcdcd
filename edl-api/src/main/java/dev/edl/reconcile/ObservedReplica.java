package dev.edl.reconcile;

import dev.edl.RoleType;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A replica's object as a substrate sees it.
 *
 * @param name its name
 * @param role its role
 * @param id its id
 * @param phase its phase
 * @param exitCode its exit code, when it has ended and the substrate knows it
 * @param reason why it is in its phase, when the substrate knows: {@code OOMKilled}, {@code Evicted}, an exception's text
 * @param terminating whether it was told to go; what it does from then on is part of the deletion
 */
public record ObservedReplica(
        String name,
        RoleType role,
        int id,
        ReplicaPhase phase,
        OptionalInt exitCode,
        Optional<String> reason,
        boolean terminating) {
    /** A replica that has not ended and was not told to. */
    public static ObservedReplica of(String name, RoleType role, int id, ReplicaPhase phase) {
        return new ObservedReplica(name, role, id, phase, OptionalInt.empty(), Optional.empty(), false);
    }

    /** The same, ended with an exit code: 0 is success. */
    public ObservedReplica exited(int code) {
        ReplicaPhase end = code == 0 ? ReplicaPhase.SUCCEEDED : ReplicaPhase.FAILED;
        return new ObservedReplica(name, role, id, end, OptionalInt.of(code), reason, terminating);
    }

    /** The same with a reason. */
    public ObservedReplica because(String why) {
        return new ObservedReplica(name, role, id, phase, exitCode, Optional.of(why), terminating);
    }

    /** The same, told to go. */
    public ObservedReplica leaving() {
        return new ObservedReplica(name, role, id, phase, exitCode, reason, true);
    }
}
