package dev.edl.runtime.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.LogRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.LogRecord;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Certificates of the platform, which it replaces while connections begin. */
@Timeout(60)
class CertificateFolderTest {
    @TempDir
    private Path files;

    private final AtomicLong nanos = new AtomicLong();
    private TestAuthority authority;
    private Path worker;
    private Path server;

    @BeforeEach
    void write() throws Exception {
        authority = new TestAuthority("authority");
        worker = files.resolve("worker");
        server = files.resolve("server");
        authority.write(worker, "worker", TestAuthority.END);
        authority.write(server, "server", TestAuthority.END);
    }

    private ChannelSecurity security(Path folder) throws IOException {
        return ChannelSecurity.certificates(folder, new SecureRandom(), nanos::get);
    }

    private void second() {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }

    private static ChannelBinding dial(ChannelSecurity caller, ChannelSecurity called) throws Exception {
        try (Pair pair = Pair.of(caller, called)) {
            CompletableFuture<ChannelBinding> binding = Pair.start(() -> {
                Pair.send(pair.caller(), "x");
                return pair.caller().binding();
            });
            assertThat(Pair.receive(pair.called(), 1)).isEqualTo("x");
            assertThat(Pair.result(binding)).isEqualTo(pair.called().binding());
            return pair.called().binding();
        }
    }

    @Test
    void ends_of_one_authority_connect_whatever_their_names() throws Exception {
        ChannelBinding binding = dial(security(worker), security(server));

        assertThat(binding.transport()).isEqualTo("tls");
        assertThat(binding.caller()).isNotEqualTo(binding.called());
    }

    @Test
    void a_new_certificate_is_used_by_the_next_connection() throws Exception {
        ChannelSecurity caller = security(worker);
        ChannelSecurity called = security(server);
        ChannelBinding before = dial(caller, called);
        authority.write(worker, "the worker's next one", TestAuthority.END);
        assertThat(dial(caller, called)).as("within a second").isEqualTo(before);
        second();
        ChannelBinding after = dial(caller, called);

        assertThat(after.called()).isEqualTo(before.called());
        assertThat(after.caller()).isNotEqualTo(before.caller());
    }

    @Test
    void a_folder_that_is_exchanged_as_a_whole_is_seen_although_time_and_size_are_equal() throws Exception {
        Path link = files.resolve("link");
        Path mount = files.resolve("mount");
        Files.createSymbolicLink(link, worker);
        Files.createDirectory(mount);
        for (String file : CertificateFiles.NAMES) {
            Files.createSymbolicLink(mount.resolve(file), link.resolve(file));
        }
        ChannelSecurity caller = security(mount);
        ChannelSecurity called = security(server);
        ChannelBinding before = dial(caller, called);
        Path next = files.resolve("next");
        authority.write(next, "worker", TestAuthority.END);
        for (String file : CertificateFiles.NAMES) {
            Files.setLastModifiedTime(next.resolve(file), Files.getLastModifiedTime(worker.resolve(file)));
        }
        Path swap = files.resolve("swap");
        Files.createSymbolicLink(swap, next);
        Files.move(swap, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        second();

        assertThat(dial(caller, called).caller()).isNotEqualTo(before.caller());
    }

    @Test
    void half_of_a_pair_keeps_the_earlier_one_and_is_logged_once() throws Exception {
        ChannelSecurity caller = security(worker);
        ChannelSecurity called = security(server);
        ChannelBinding before = dial(caller, called);
        Path next = files.resolve("next");
        authority.write(next, "worker", TestAuthority.END);
        replace(next, "tls.crt");
        try (LogRecords log = new LogRecords(CertificateFolder.class)) {
            for (int i = 0; i < 3; i++) {
                second();
                assertThat(dial(caller, called)).isEqualTo(before);
            }
            assertThat(messages(log))
                    .containsExactly("cannot reload the TLS certificate from " + worker + ", keeping the current one: "
                            + worker.resolve("tls.key") + " must hold the key of tls.crt, holds another one");
            replace(next, "tls.key");
            second();

            assertThat(dial(caller, called).caller()).isNotEqualTo(before.caller());
            assertThat(messages(log)).hasSize(2).last().isEqualTo("reloaded the TLS certificate from " + worker);
        }
    }

    private static List<String> messages(LogRecords log) {
        return log.records().stream().map(LogRecord::getMessage).toList();
    }

    /** Replaces a file of the worker, with a time of its own. */
    private void replace(Path from, String file) throws IOException {
        Files.copy(from.resolve(file), worker.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(worker.resolve(file), FileTime.from(Instant.parse("2001-01-01T00:00:00Z")));
    }

    @Test
    void a_file_that_disappears_keeps_the_earlier_certificate() throws Exception {
        ChannelSecurity caller = security(worker);
        ChannelSecurity called = security(server);
        ChannelBinding before = dial(caller, called);
        Files.delete(worker.resolve("tls.key"));
        second();
        try (LogRecords log = new LogRecords(CertificateFolder.class)) {
            assertThat(dial(caller, called)).isEqualTo(before);
            assertThat(messages(log))
                    .containsExactly("cannot reload the TLS certificate from " + worker + ", keeping the current one: "
                            + worker.resolve("tls.key") + " does not exist; " + worker
                            + " must have [tls.crt, tls.key, ca.crt] in PEM");
        }
    }

    @Test
    void a_caller_of_a_foreign_authority_is_refused() throws Exception {
        new TestAuthority("foreign").write(worker, "worker", TestAuthority.END);
        Files.copy(server.resolve("ca.crt"), worker.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);

        assertRefused(security(worker), security(server), "PKIX path");
    }

    @Test
    void a_called_end_of_a_foreign_authority_is_refused() throws Exception {
        new TestAuthority("foreign").write(server, "server", TestAuthority.END);

        try (Pair pair = Pair.of(security(worker), security(server))) {
            CompletableFuture<Integer> caller = Pair.start(() -> pair.caller().write(ByteBuffer.allocate(1)));

            assertThatThrownBy(() -> pair.called().read(ByteBuffer.allocate(1))).isInstanceOf(SSLException.class);
            assertThatThrownBy(() -> Pair.result(caller))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("PKIX path");
        }
    }

    @Test
    void a_caller_with_an_expired_certificate_is_refused() throws Exception {
        authority.write(worker, "worker", TestAuthority.BEGIN.plusSeconds(1));

        assertRefused(security(worker), security(server), "PKIX path validation failed");
    }

    @Test
    void a_self_signed_certificate_of_a_holder_of_the_token_is_refused() throws Exception {
        assertRefused(ChannelSecurity.token(new SecureRandom()), security(server), "PKIX path");
    }

    /** Both ends see the refusal: the called end its reason, the caller at its first read. */
    private static void assertRefused(ChannelSecurity caller, ChannelSecurity called, String why) throws Exception {
        try (Pair pair = Pair.of(caller, called)) {
            CompletableFuture<Integer> read = Pair.start(() -> pair.caller().read(ByteBuffer.allocate(1)));

            assertThatThrownBy(() -> pair.called().read(ByteBuffer.allocate(1)))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining(why);
            assertThatThrownBy(() -> Pair.result(read)).isInstanceOf(SSLException.class);
        }
    }
}
