package dev.edl.runtime.wire.control;

import dev.edl.runtime.wire.auth.Handshake;

/** Runs the contract over connections with TLS. */
class TlsRemoteShardContractTest extends RemoteShardContractTest {
    @Override
    Handshake key() {
        return Loopback.tls();
    }
}
