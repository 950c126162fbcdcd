package dev.edl.status;

import dev.edl.RoleType;
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
 * @param exitCode its exit code, when it has ended and the code is known
 * @param reason the reason of its phase, when it is known: {@code OOMKilled}, {@code Evicted}, an
 *     exception's text
 * @param message the reason in sentences, with advice, when it is known
 * @param terminating whether it is being deleted; what it does from then on is part of the deletion
 * @param deletionDeadline the end of its grace period, if it is being deleted and the time is known
 * @param notice the notice that its node is about to be drained, when it is known
 * @param uid the uid of the object, which differs from that of any other object of the name; empty if the substrate has
 *     none
 * @param lingers whether it has ended while a sidecar keeps its pod from ending
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
    /** Creates a replica without a node notice. */
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

    /** Creates a replica with a reason only. */
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

    /** Returns a replica that has not ended and is not being deleted. */
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

    /** Returns a copy that ended with an exit code: 0 is success. */
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

    /** Returns a copy that is being deleted, with the end of its grace period. */
    public ObservedReplica deletedBy(Instant end) {
        return new ObservedReplica(
                name, role, id, phase, exitCode, reason, message, true, Optional.of(end), notice, uid, lingers);
    }

    /** Returns a copy on a node that is about to be drained. */
    public ObservedReplica withNotice(NodeNotice going) {
        return noticed(Optional.of(going));
    }

    /** Returns a copy without a node notice, for a driver that evicts noticed replicas in an order of its own. */
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

    /** Returns whether the object has neither ended nor is being deleted. */
    public boolean runs() {
        return !terminating && !phase.ended();
    }

    /**
     * Returns the reason of its phase, in a word and in sentences: {@code Unschedulable: 0/3 nodes are available …}.
     */
    public Optional<String> words() {
        if (reason.isEmpty() || message.isEmpty()) {
            return reason.or(() -> message);
        }
        return Optional.of(reason.get() + ": " + message.get());
    }
}
