package dev.edl.runtime.wire.frames;

/** Limits of received frames: the allowed kinds, and the largest body of each. */
@FunctionalInterface
interface FrameLimits {
    /** Value of {@link #body} for a kind that is not allowed. */
    long NONE = -1;

    /** Largest size of a text in bytes, including its length and padding. */
    int TEXT = 8192;

    /** Returns the largest size of a body in bytes; {@link #NONE} if the kind is not allowed. */
    long body(FrameKind kind);
}
