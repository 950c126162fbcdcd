package dev.edl.runtime.wire.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Reads a certificate chain, its key and the authorities of peers from PEM files. */
final class CertificateFiles {
    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";
    private static final String AUTHORITIES = "ca.crt";
    static final List<String> NAMES = List.of(CERTIFICATE, KEY, AUTHORITIES);

    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    /** Maximum size of a file in bytes; a longer file is rejected unread. */
    private static final long LONGEST = 1 << 20;
    /** Signature by which a key of an algorithm is compared with its certificate. */
    private static final Map<String, String> SIGNATURES =
            Map.of("EC", "SHA256withECDSA", "RSA", "SHA256withRSA", "EdDSA", "EdDSA");

    private CertificateFiles() {}

    /**
     * Reads the files of a folder.
     *
     * @throws IllegalArgumentException when a file has no valid content, or the key is not the certificate's
     */
    static TlsContext read(Path folder, SecureRandom random) throws IOException {
        List<X509Certificate> chain = certificates(folder.resolve(CERTIFICATE));
        PrivateKey key = key(folder.resolve(KEY), chain.get(0).getPublicKey(), random);
        return new TlsContext(new TlsIdentity(key, chain), trust(certificates(folder.resolve(AUTHORITIES))), random);
    }

    private static byte[] bytes(Path file) throws IOException {
        long size = Files.size(file);
        if (size > LONGEST) {
            throw new IllegalArgumentException(file + " must have at most " + LONGEST + " bytes, had " + size);
        }
        return Files.readAllBytes(file);
    }

    private static List<X509Certificate> certificates(Path file) throws IOException {
        List<X509Certificate> found;
        try (InputStream in = new ByteArrayInputStream(bytes(file))) {
            found = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (CertificateException e) {
            throw new IllegalArgumentException(file + " must hold certificates in PEM: " + e.getMessage(), e);
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    file + " must hold certificates in PEM, which begin with -----BEGIN CERTIFICATE-----, had none");
        }
        return found;
    }

    private static PrivateKey key(Path file, PublicKey of, SecureRandom random) throws IOException {
        String text = new String(bytes(file), StandardCharsets.US_ASCII);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException(
                    file + " must hold a key in PKCS#8 without a password, which begins with " + BEGIN
                            + "; for example: openssl pkcs8 -topk8 -nodes -in old.key -out " + KEY);
        }
        String signature = SIGNATURES.get(of.getAlgorithm());
        if (signature == null) {
            throw new IllegalArgumentException(file + " must hold a key of EC, RSA or EdDSA, was " + of.getAlgorithm());
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
            PrivateKey key =
                    KeyFactory.getInstance(of.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            Signature proof = Signature.getInstance(signature);
            proof.initSign(key, random);
            proof.update(encoded);
            byte[] signed = proof.sign();
            proof.initVerify(of);
            proof.update(encoded);
            if (proof.verify(signed)) {
                return key;
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    file + " must hold the key of " + CERTIFICATE + ": " + e.getMessage(), e);
        }
        throw new IllegalArgumentException(file + " must hold the key of " + CERTIFICATE + ", holds another one");
    }

    private static X509ExtendedTrustManager trust(List<X509Certificate> authorities) throws IOException {
        try {
            KeyStore anchors = KeyStore.getInstance("PKCS12");
            anchors.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                anchors.setCertificateEntry("ca-" + i, authorities.get(i));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(anchors);
            return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM cannot check a certificate's path", e);
        }
    }
}
