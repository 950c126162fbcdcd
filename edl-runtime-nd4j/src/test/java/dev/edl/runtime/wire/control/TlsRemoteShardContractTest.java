package dev.edl.runtime.wire.control;

/** Runs the contract over connections with TLS. */
class TlsRemoteShardContractTest extends RemoteShardContractTest {
    @Override
    SharedKey key() {
        return SharedKey.tls();
    }
}
