package dev.edl.status;

import dev.edl.RoleType;
import java.time.Instant;
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
 * @param message the reason in whole sentences, and what to do about it, when the substrate knows
 * @param terminating whether it was told to go; what it does from then on is part of the deletion
 * @param deletionDeadline when its object is to be gone, if it was told to go and the substrate knows: the end of its grace
 * @param notice that its machine is about to go, when the substrate knows
 * @param uid which object of this name it is: another one of the same name has another uid; empty where the substrate has none
 * @param lingers whether it has ended and something beside it keeps its object from ending: a sidecar of its pod
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
    /** A replica on a machine that stays, as far as is known. */
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

    /** A replica of which no more is known than its reason. */
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

    /** A replica that has not ended and was not told to. */
    public static ObservedReplica of(String name, RoleType role, int id, ObservedPhase phase) {
        return new ObservedReplica(name, role, id, phase, OptionalInt.empty(), Optional.empty(), false);
    }

    /** Returns the same replica as the object with this uid. */
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

    /** Returns the same replica in another phase. */
    public ObservedReplica withPhase(ObservedPhase at) {
        return new ObservedReplica(
                name, role, id, at, exitCode, reason, message, terminating, deletionDeadline, notice, uid, lingers);
    }

    /** The same, ended with an exit code: 0 is success. */
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

    /** The same, ended from outside, as by its machine: {@link ObservedPhase#DISRUPTED}. */
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

    /** The same with a reason. */
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

    /** The same with a message. */
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

    /** The same, told to go. */
    public ObservedReplica beingDeleted() {
        return new ObservedReplica(
                name, role, id, phase, exitCode, reason, message, true, deletionDeadline, notice, uid, lingers);
    }

    /** The same, told to go by a time. */
    public ObservedReplica deletedBy(Instant end) {
        return new ObservedReplica(
                name, role, id, phase, exitCode, reason, message, true, Optional.of(end), notice, uid, lingers);
    }

    /** The same on a machine that is about to go. */
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

    /** Returns the same replica, whose object something beside it keeps from ending. */
    public ObservedReplica lingering() {
        return new ObservedReplica(
                name, role, id, phase, exitCode, reason, message, terminating, deletionDeadline, notice, uid, true);
    }

    /** Returns whether the object neither has ended nor was told to go. */
    public boolean runs() {
        return !terminating && !phase.ended();
    }

    /** Returns why it is in its phase, in a word and in sentences: {@code Unschedulable: 0/3 nodes are available …}. */
    public Optional<String> words() {
        if (reason.isEmpty() || message.isEmpty()) {
            return reason.or(() -> message);
        }
        return Optional.of(reason.get() + ": " + message.get());
    }
}
