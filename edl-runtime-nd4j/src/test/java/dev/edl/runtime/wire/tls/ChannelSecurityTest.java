package dev.edl.runtime.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of the option, and files without valid content. */
class ChannelSecurityTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws Exception {
        new TestAuthority("authority").write(folder, "worker", TestAuthority.END);
    }

    private static ChannelSecurity of(String value) throws IOException {
        return ChannelSecurity.of(value, new SecureRandom(), () -> 0);
    }

    @Test
    void the_option_has_three_forms() throws Exception {
        assertThat(of("off")).hasToString("off");
        assertThat(of("token")).hasToString("token");
        assertThat(of(folder.toString())).hasToString(folder.toString());
    }

    @Test
    void an_empty_option_is_refused() {
        assertThatThrownBy(() -> of(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("EDL_TLS must be off, token or the path of a folder with tls.crt, tls.key and ca.crt, was"
                        + " \" \"; for example token");
    }

    @Test
    void a_folder_without_files_is_refused() {
        assertThatThrownBy(() -> of("/on"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("/on/tls.crt does not exist; /on must have [tls.crt, tls.key, ca.crt] in PEM");
    }

    @Test
    void a_file_without_certificates_is_refused() throws Exception {
        Path file = folder.resolve("ca.crt");
        Files.writeString(file, "");

        assertThatThrownBy(() -> of(folder.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + " must hold certificates in PEM, which begin with -----BEGIN CERTIFICATE-----, had"
                        + " none");
        Files.writeString(file, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertThatThrownBy(() -> of(folder.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file + " must hold certificates in PEM: ");
    }

    @Test
    void a_key_of_another_form_is_refused() throws Exception {
        Path file = folder.resolve("tls.key");
        Files.writeString(file, "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n");

        assertThatThrownBy(() -> of(folder.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + " must hold a key in PKCS#8 without a password, which begins with"
                        + " -----BEGIN PRIVATE KEY-----; for example: openssl pkcs8 -topk8 -nodes -in old.key -out"
                        + " tls.key");
        Files.writeString(file, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        assertThatThrownBy(() -> of(folder.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file + " must hold the key of tls.crt: ");
    }

    @Test
    void a_file_that_is_too_long_is_not_read() throws Exception {
        Path file = folder.resolve("tls.crt");
        Files.write(file, new byte[(1 << 20) + 1]);

        assertThatThrownBy(() -> of(folder.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + " must have at most 1048576 bytes, had 1048577");
    }
}
