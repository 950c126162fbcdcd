package dev.edl.runtime.engine.decisions;

/**
 * What a callback remembers.
 *
 * @param state its own words
 * @param steps how often onStep was due when it was last called
 */
public record CallbackState(String state, long steps) {
    /** Of a callback that was never called. */
    public static final CallbackState NONE = new CallbackState("", 0);
}
