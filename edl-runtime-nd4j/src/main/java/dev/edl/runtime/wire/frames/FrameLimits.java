package dev.edl.runtime.wire.frames;

/** Which frames are allowed at a place, and how long their bodies are at most. */
@FunctionalInterface
interface FrameLimits {
    /** A kind that is not allowed. */
    long NONE = -1;

    /** Bytes of a text at most, with its length and padding. */
    int TEXT = 8192;

    /** Returns the bytes of a body at most; {@link #NONE} when the kind is not allowed. */
    long body(FrameKind kind);
}
