package dev.edl.runtime.wire.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class JobTokenTest {
    @TempDir
    Path directory;

    @Test
    void a_token_is_read_as_it_was_written() throws Exception {
        JobToken token = JobToken.create(new SecureRandom());
        Path file = directory.resolve("token");
        token.write(file);

        assertThat(JobToken.read(file)).isEqualTo(token);
        assertThat(JobToken.of(Map.of(JobToken.TOKEN_FILE, file.toString()))).isEqualTo(token);
        assertThat(JobToken.create(new SecureRandom())).isNotEqualTo(token);
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void only_the_owner_can_read_the_file_even_if_replaced() throws Exception {
        Path file = directory.resolve("token");
        Files.writeString(file, "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        JobToken.create(new SecureRandom()).write(file);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void no_text_shows_the_secret() throws Exception {
        JobToken token = JobToken.create(new SecureRandom());
        Path file = directory.resolve("token");
        token.write(file);

        assertThat(token.toString()).isEqualTo("token of 32 bytes");
        assertThat(new Handshake(token, new SecureRandom(), ChannelSecurity.plain()).toString())
                .isEqualTo("handshake by a token of 32 bytes");
    }

    @Test
    void a_file_without_a_token_is_refused_without_its_text() throws Exception {
        Path file = Files.writeString(directory.resolve("token"), "0123");

        assertThatThrownBy(() -> JobToken.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessage(file + " holds no token: it must be one line of 64 hexadecimal digits, had 4 bytes");
    }

    @Test
    void a_large_file_is_not_read() throws Exception {
        Path file = Files.write(directory.resolve("token"), new byte[10_000]);

        assertThatThrownBy(() -> JobToken.read(file))
                .hasMessage(file + " holds no token: it must be one line of 64 hexadecimal digits, had 10000 bytes");
    }

    @Test
    void a_process_without_the_variable_is_refused() {
        assertThatThrownBy(() -> JobToken.of(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("EDL_TOKEN_FILE is not set; it must be the path of the file with the job's token, "
                        + "for example /run/edl/token");
    }
}
