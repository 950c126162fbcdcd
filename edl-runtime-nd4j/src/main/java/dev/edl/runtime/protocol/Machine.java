package dev.edl.runtime.protocol;

import java.util.List;

/**
 * One role's part of the protocol. Not safe for several threads: a process runs its machine on one thread, in the order in which
 * things happen.
 *
 * <pre>{@code
 * for (Effect effect : machine.on(event, now)) {
 *     carryOut(effect);
 * }
 * sleepUntil(machine.wakeAt());      // or until the next event
 * }</pre>
 */
public interface Machine {
    /** What {@link #wakeAt} returns when no time matters. */
    long NEVER = Long.MAX_VALUE;

    /**
     * Takes one event.
     *
     * @param now nanoseconds of a clock that never goes back, of this process alone
     * @return what the process has to do, in this order
     */
    List<Effect> on(Event event, long now);

    /** Returns the time at which a {@link Event.Tick} is due; {@link #NEVER} when none is. */
    long wakeAt();
}
