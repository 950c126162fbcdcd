package dev.edl.runtime.wire.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;

/**
 * Content of an X.509 v3 certificate for a key on curve P-256, apart from its keys and its serial number. The JDK has
 * no public API that makes one.
 *
 * @param subject common name of the key's owner
 * @param issuer common name of the signer
 * @param from first second of its validity
 * @param to last second of its validity
 * @param authority whether the key may sign further certificates
 */
record CertificateSpec(String subject, String issuer, Instant from, Instant to, boolean authority) {
    private static final byte[] ECDSA_WITH_SHA256 = DerValues.sequence(DerValues.identifier(1, 2, 840, 10045, 4, 3, 2));
    private static final BigInteger VERSION_3 = BigInteger.TWO;
    private static final int SERIAL_BITS = 127;

    /** Returns the certificate for a public key, with a random serial number, signed by the issuer's private key. */
    X509Certificate sign(PublicKey key, PrivateKey signer, SecureRandom random) throws GeneralSecurityException {
        byte[] content = DerValues.sequence(
                DerValues.tagged(0, DerValues.integer(VERSION_3)),
                DerValues.integer(new BigInteger(SERIAL_BITS, random).setBit(0)),
                ECDSA_WITH_SHA256,
                name(issuer),
                DerValues.sequence(DerValues.time(from), DerValues.time(to)),
                name(subject),
                key.getEncoded(),
                DerValues.tagged(3, DerValues.sequence(basicConstraints())));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(signer, random);
        signature.update(content);
        byte[] certificate = DerValues.sequence(content, ECDSA_WITH_SHA256, DerValues.bits(signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
    }

    private static byte[] name(String commonName) {
        return DerValues.sequence(
                DerValues.set(DerValues.sequence(DerValues.identifier(2, 5, 4, 3), DerValues.text(commonName))));
    }

    private byte[] basicConstraints() {
        byte[] constraints = authority ? DerValues.sequence(DerValues.bool(true)) : DerValues.sequence();
        return DerValues.sequence(
                DerValues.identifier(2, 5, 29, 19), DerValues.bool(true), DerValues.octets(constraints));
    }
}
