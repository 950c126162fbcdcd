package dev.edl.runtime.engine.decisions;

/**
 * Something that callbacks are still to be told of, one after the other.
 *
 * @param next the number of the callback that is told next
 * @param begun whether that one may have been told: it was about to be when this was written
 */
public record PendingCallback(CallbackEvent what, int next, boolean begun) {}
