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
    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.identifier(1, 2, 840, 10045, 4, 3, 2));
    private static final BigInteger VERSION_3 = BigInteger.TWO;
    private static final int SERIAL_BITS = 127;

    /** Returns the certificate for a public key, with a random serial number, signed by the issuer's private key. */
    X509Certificate sign(PublicKey key, PrivateKey signer, SecureRandom random) throws GeneralSecurityException {
        byte[] content = Der.sequence(
                Der.tagged(0, Der.integer(VERSION_3)),
                Der.integer(new BigInteger(SERIAL_BITS, random).setBit(0)),
                ECDSA_WITH_SHA256,
                name(issuer),
                Der.sequence(Der.time(from), Der.time(to)),
                name(subject),
                key.getEncoded(),
                Der.tagged(3, Der.sequence(basicConstraints())));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(signer, random);
        signature.update(content);
        byte[] certificate = Der.sequence(content, ECDSA_WITH_SHA256, Der.bits(signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
    }

    private static byte[] name(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.identifier(2, 5, 4, 3), Der.text(commonName))));
    }

    private byte[] basicConstraints() {
        byte[] constraints = authority ? Der.sequence(Der.bool(true)) : Der.sequence();
        return Der.sequence(Der.identifier(2, 5, 29, 19), Der.bool(true), Der.octets(constraints));
    }
}
