package dev.edl.runtime.wire.control;

import dev.edl.runtime.wire.auth.Handshake;

/** Runs the contract over connections with TLS. */
class TlsRemoteMasterContractTest extends RemoteMasterContractTest {
    @Override
    Handshake key() {
        return Loopback.tls();
    }
}
