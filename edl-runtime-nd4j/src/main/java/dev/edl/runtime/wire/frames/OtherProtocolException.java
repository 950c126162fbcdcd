package dev.edl.runtime.wire.frames;

/** A whole frame came of another protocol than this build's. */
final class OtherProtocolException extends FrameException {
    private static final long serialVersionUID = 1;

    OtherProtocolException(int protocol) {
        super("the protocol must be " + FrameKind.PROTOCOL + ", was " + protocol);
    }
}
