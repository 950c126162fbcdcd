package dev.edl.runtime.wire.tls;

import javax.net.ssl.SSLException;

/**
 * One end of a connection uses TLS, and the other does not. Nothing is authenticated yet, so another program may be the
 * reason, and a retry may succeed.
 */
public final class TlsMismatchException extends SSLException {
    private static final long serialVersionUID = 1;

    TlsMismatchException(boolean callerUsesTls) {
        super((callerUsesTls
                        ? "the caller uses TLS and the called end does not"
                        : "the called end uses TLS and the caller does not")
                + ": " + ChannelSecurity.OPTION + " must be equal at both ends, for example " + ChannelSecurity.OPTION
                + "=" + ChannelSecurity.TOKEN);
    }
}
