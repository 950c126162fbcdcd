package dev.edl.runtime.wire.tls;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.util.HexFormat;

/**
 * Certificates of a connection's two ends, for the proof of the token. Each end takes its own certificate as it sent it
 * and the peer's as it received it, so a relay that ends TLS on both sides leads to different values.
 *
 * @param transport {@code tls} or {@code plain}
 * @param caller SHA-256 of the caller's certificate in hexadecimal digits; zeros without TLS
 * @param called SHA-256 of the called end's certificate in hexadecimal digits; zeros without TLS
 */
public record ChannelBinding(String transport, String caller, String called) {
    private static final String NONE = "0".repeat(64);

    /** Binding of a connection without TLS. */
    public static final ChannelBinding PLAIN = new ChannelBinding("plain", NONE, NONE);

    static ChannelBinding tls(Certificate caller, Certificate called) {
        return new ChannelBinding("tls", hash(caller), hash(called));
    }

    private static String hash(Certificate certificate) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JVM has no SHA-256, which every Java platform must have", e);
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that was sent or received has an encoding", e);
        }
    }

    /** Returns the text that a proof covers; its parts have fixed lengths or no slash. */
    public String text() {
        return transport + "/" + caller + "/" + called;
    }
}
