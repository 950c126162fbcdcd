package dev.edl.runtime.wire.tls;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Identity of this process and the rule by which it trusts peers. Both ends send a certificate. No session is ever
 * resumed: each connection makes a new handshake, so that both ends see the peer's certificate. Immutable.
 */
final class TlsContext {
    private static final String[] PROTOCOLS = {"TLSv1.3"};
    private static final String[] CIPHERS = {
        "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
    };
    /** Lifetime of a session that TLS 1.3 allows no ticket for: more than 7 days, by RFC 8446. */
    private static final int WITHOUT_TICKET_SECONDS = 8 * 24 * 60 * 60;

    private final SSLContext context;

    TlsContext(TlsIdentity identity, X509ExtendedTrustManager trust, SecureRandom random) {
        try {
            context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new SingleIdentityKeys(identity)}, new TrustManager[] {trust}, random);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "this Java runtime cannot set up TLS: " + e.getMessage()
                            + "; check the security providers in its file conf/security/java.security",
                    e);
        }
        context.getServerSessionContext().setSessionTimeout(WITHOUT_TICKET_SECONDS);
        context.getServerSessionContext().setSessionCacheSize(1);
        context.getClientSessionContext().setSessionCacheSize(1);
    }

    /** Returns a context of a new self-signed certificate, which trusts any certificate of a peer. */
    static TlsContext selfSigned(SecureRandom random) {
        return new TlsContext(TlsIdentity.selfSigned(random), new SingleCertificateTrust(), random);
    }

    SSLContext jdkContext() {
        return context;
    }

    /**
     * Returns an engine for one connection. It is created without the peer's host, so it never resumes a TLS session.
     *
     * @param caller whether this end opens the connection
     */
    SSLEngine engine(boolean caller) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(caller);
        engine.setNeedClientAuth(!caller);
        engine.setEnabledProtocols(PROTOCOLS);
        engine.setEnabledCipherSuites(CIPHERS);
        return engine;
    }
}
