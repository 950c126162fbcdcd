package dev.edl.runtime.wire.control;

/** Runs the contract over connections with TLS. */
class TlsRemoteMasterContractTest extends RemoteMasterContractTest {
    @Override
    SharedKey key() {
        return SharedKey.tls();
    }
}
