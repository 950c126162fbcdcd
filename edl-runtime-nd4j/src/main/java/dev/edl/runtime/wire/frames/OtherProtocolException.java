package dev.edl.runtime.wire.frames;

/** Thrown for a complete frame of another protocol version. */
final class OtherProtocolException extends FrameException {
    private static final long serialVersionUID = 1;

    OtherProtocolException(int protocol) {
        super("the protocol must be " + FrameKind.PROTOCOL + ", was " + protocol);
    }
}
