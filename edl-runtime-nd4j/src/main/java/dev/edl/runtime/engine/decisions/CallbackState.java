package dev.edl.runtime.engine.decisions;

/**
 * Recorded state of a callback.
 *
 * @param state text that the callback itself defines
 * @param steps number of times that {@code onStep} was due up to its last call
 */
public record CallbackState(String state, long steps) {
    /** State of a callback that was never called. */
    public static final CallbackState NONE = new CallbackState("", 0);
}
