package dev.edl.runtime.engine.decisions;

/**
 * Callback event that some callbacks have not received; they receive it one after the other.
 *
 * @param next the index of the callback that receives it next
 * @param begun whether that callback may have received the event: this was written when its call was about to begin
 */
public record PendingCallback(CallbackEvent what, int next, boolean begun) {}
