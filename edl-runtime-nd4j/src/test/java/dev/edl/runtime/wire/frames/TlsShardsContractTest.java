package dev.edl.runtime.wire.frames;

import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.security.SecureRandom;

/** Runs the contract over connections with TLS. */
class TlsShardsContractTest extends RemoteShardsContractTest {
    private static final ChannelSecurity TOKEN = ChannelSecurity.token(new SecureRandom());

    @Override
    protected ChannelSecurity security() {
        return TOKEN;
    }
}
