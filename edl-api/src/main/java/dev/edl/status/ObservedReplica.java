package dev.edl.status;

import dev.edl.spec.RoleType;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A replica's object as a substrate observes it.
 *
 * @param name the replica's name
 * @param role its role
 * @param id its id
 * @param phase its phase
 * @param exitCode its exit code; empty if it has not ended or the code is unknown
 * @param reason the short reason of its phase, for example {@code OOMKilled}, {@code Evicted} or an exception's text;
 *     empty if unknown
 * @param message the reason of its phase in sentences, with advice; empty if unknown
 * @param terminating whether the object is being deleted; if the replica then ends without success, the deletion counts
 *     as the cause
 * @param deletionDeadline the end of its grace period; empty if it is not being deleted or the time is unknown
 * @param notice the notice that its node is about to be drained; empty without notice
 * @param uid the uid of the object, which differs from the uids of earlier and later objects of the same name; empty if
 *     the substrate has no uids
 * @param lingers whether the replica's container has ended, but a sidecar keeps its pod from ending
 */
public record ObservedReplica(
        String name,
        RoleType role,
        int id,
        ObservedPhase phase,
        OptionalInt exitCode,
        Optional<String> reason,
        Optional<String> message,
        boolean terminating,
        Optional<Instant> deletionDeadline,
        Optional<NodeNotice> notice,
        Optional<String> uid,
        boolean lingers) {
    /**
     * Creates a replica without node notice and uid, which does not linger.
     *
     * @param due the end of its grace period, if it is being deleted and the time is known
     */
    public ObservedReplica(
            String name,
            RoleType role,
            int id,
            ObservedPhase phase,
            OptionalInt exitCode,
            Optional<String> reason,
            Optional<String> message,
            boolean terminating,
            Optional<Instant> due) {
        this(
                name,
                role,
                id,
                phase,
                exitCode,
                reason,
                message,
                terminating,
                due,
                Optional.empty(),
                Optional.empty(),
                false);
    }

    /** Creates a replica without message, end of the grace period, node notice and uid, which does not linger. */
    public ObservedReplica(
            String name,
            RoleType role,
            int id,
            ObservedPhase phase,
            OptionalInt exitCode,
            Optional<String> reason,
            boolean terminating) {
        this(name, role, id, phase, exitCode, reason, Optional.empty(), terminating, Optional.empty());
    }

    /** Returns a replica in a phase, without exit code and reason, which is not being deleted. */
    public static ObservedReplica of(String name, RoleType role, int id, ObservedPhase phase) {
        return new ObservedReplica(name, role, id, phase, OptionalInt.empty(), Optional.empty(), false);
    }

    /** Returns a copy with a uid. */
    public ObservedReplica withUid(String of) {
        return new ObservedReplica(
                name,
                role,
                id,
                phase,
                exitCode,
                reason,
                message,
                terminating,
                deletionDeadline,
                notice,
                Optional.of(of),
                lingers);
    }

    /** Returns a copy in another phase. */
    public ObservedReplica withPhase(ObservedPhase at) {
        return new ObservedReplica(
                name, role, id, at, exitCode, reason, message, terminating, deletionDeadline, notice, uid, lingers);
    }

    /** Returns a copy that ended with an exit code: in phase SUCCEEDED for 0, otherwise in phase FAILED. */
    public ObservedReplica withExitCode(int code) {
        ObservedPhase end = code == 0 ? ObservedPhase.SUCCEEDED : ObservedPhase.FAILED;
        return new ObservedReplica(
                name,
                role,
                id,
                end,
                OptionalInt.of(code),
                reason,
                message,
                terminating,
                deletionDeadline,
                notice,
                uid,
                lingers);
    }

    /** Returns a copy that was ended from outside, as by its node: {@link ObservedPhase#DISRUPTED}. */
    public ObservedReplica disrupted() {
        return new ObservedReplica(
                name,
                role,
                id,
                ObservedPhase.DISRUPTED,
                exitCode,
                reason,
                message,
                terminating,
                deletionDeadline,
                notice,
                uid,
                lingers);
    }

    /** Returns a copy with a reason. */
    public ObservedReplica withReason(String why) {
        return new ObservedReplica(
                name,
                role,
                id,
                phase,
                exitCode,
                Optional.of(why),
                message,
                terminating,
                deletionDeadline,
                notice,
                uid,
                lingers);
    }

    /** Returns a copy with a message. */
    public ObservedReplica withMessage(String text) {
        return new ObservedReplica(
                name,
                role,
                id,
                phase,
                exitCode,
                reason,
                Optional.of(text),
                terminating,
                deletionDeadline,
                notice,
                uid,
                lingers);
    }

    /** Returns a copy that is being deleted. */
    public ObservedReplica beingDeleted() {
        return new ObservedReplica(
                name, role, id, phase, exitCode, reason, message, true, deletionDeadline, notice, uid, lingers);
    }

    /**
     * Returns a copy that is being deleted.
     *
     * @param end the end of its grace period
     */
    public ObservedReplica deletedBy(Instant end) {
        return new ObservedReplica(
                name, role, id, phase, exitCode, reason, message, true, Optional.of(end), notice, uid, lingers);
    }

    /** Returns a copy on a node that is about to be drained. */
    public ObservedReplica withNotice(NodeNotice going) {
        return noticed(Optional.of(going));
    }

    /** Returns a copy without a node notice, for a driver that itself evicts noticed replicas in another order. */
    public ObservedReplica withoutNotice() {
        return notice.isEmpty() ? this : noticed(Optional.empty());
    }

    private ObservedReplica noticed(Optional<NodeNotice> going) {
        return new ObservedReplica(
                name, role, id, phase, exitCode, reason, message, terminating, deletionDeadline, going, uid, lingers);
    }

    /** Returns a copy that has ended while a sidecar keeps its object from ending. */
    public ObservedReplica lingering() {
        return new ObservedReplica(
                name, role, id, phase, exitCode, reason, message, terminating, deletionDeadline, notice, uid, true);
    }

    /**
     * Returns whether the replica has not ended and its object is not being deleted; true also before the replica
     * starts.
     */
    public boolean runs() {
        return !terminating && !phase.ended();
    }

    /**
     * Returns the reason and the message of its phase, for example {@code Unschedulable: 0/3 nodes are available …};
     * empty if both are unknown.
     */
    public Optional<String> describe() {
        if (reason.isEmpty() || message.isEmpty()) {
            return reason.or(() -> message);
        }
        return Optional.of(reason.get() + ": " + message.get());
    }
}
