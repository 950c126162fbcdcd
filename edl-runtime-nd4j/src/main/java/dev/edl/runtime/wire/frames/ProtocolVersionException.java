package dev.edl.runtime.wire.frames;

/** Thrown for a complete frame of another protocol version. */
final class ProtocolVersionException extends FrameException {
    private static final long serialVersionUID = 1;

    ProtocolVersionException(int protocol) {
        super("the protocol must be " + FrameKind.PROTOCOL + ", was " + protocol);
    }
}
