package dev.edl.runtime.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.Test;

class TlsIdentityTest {
    private final TlsIdentity identity = TlsIdentity.selfSigned(new SecureRandom());
    private final X509Certificate certificate = identity.chain().get(0);

    @Test
    void the_certificate_is_signed_by_its_own_key() throws Exception {
        certificate.verify(certificate.getPublicKey());

        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getSigAlgName()).isEqualTo("SHA256withECDSA");
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=edl");
        assertThat(certificate.getIssuerX500Principal()).isEqualTo(certificate.getSubjectX500Principal());
        assertThat(certificate.getBasicConstraints()).as("no authority").isEqualTo(-1);
    }

    @Test
    void the_certificate_is_valid_for_ever() throws Exception {
        certificate.checkValidity(Date.from(Instant.parse("1970-01-01T00:00:00Z")));
        certificate.checkValidity(Date.from(Instant.parse("9999-12-31T23:59:59Z")));

        assertThat(certificate.getNotAfter().toInstant()).isEqualTo(Instant.parse("9999-12-31T23:59:59Z"));
    }

    @Test
    void each_identity_has_its_own_key_and_serial_number() {
        X509Certificate another =
                TlsIdentity.selfSigned(new SecureRandom()).chain().get(0);

        assertThat(certificate.getSerialNumber()).isPositive().isNotEqualTo(another.getSerialNumber());
        assertThat(certificate.getPublicKey()).isNotEqualTo(another.getPublicKey());
    }

    @Test
    void its_text_has_no_key() {
        assertThat(identity).hasToString("identity CN=edl");
    }
}
