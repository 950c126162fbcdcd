package dev.edl.runtime.wire.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Supplies TLS with one identity for all connections, to callers and to called ends alike. */
final class SingleIdentityKeys extends X509ExtendedKeyManager {
    private static final String ALIAS = "edl";

    private final TlsIdentity identity;

    SingleIdentityKeys(TlsIdentity identity) {
        this.identity = identity;
    }

    private @Nullable String alias(String... types) {
        return List.of(types).contains(identity.key().getAlgorithm()) ? ALIAS : null;
    }

    private String @Nullable [] aliases(String type) {
        String alias = alias(type);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(types);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(type);
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(types);
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(type);
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return aliases(type);
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        return aliases(type);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return identity.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return identity.key();
    }
}
