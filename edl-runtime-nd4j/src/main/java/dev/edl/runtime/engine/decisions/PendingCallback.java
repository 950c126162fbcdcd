package dev.edl.runtime.engine.decisions;

/**
 * Callback event that is not delivered to all callbacks; they receive it one after the other.
 *
 * @param next the index of the callback that receives it next
 * @param begun whether that callback may have received it: the call was about to begin when this was written
 */
public record PendingCallback(CallbackEvent what, int next, boolean begun) {}
