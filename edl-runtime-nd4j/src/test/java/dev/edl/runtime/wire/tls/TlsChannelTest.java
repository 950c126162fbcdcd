package dev.edl.runtime.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes, waits and ends of a connection by TLS. */
@Timeout(60)
class TlsChannelTest {
    private static final int LARGE = 3_000_000;

    private final ChannelSecurity one = ChannelSecurity.token(new SecureRandom());
    private final ChannelSecurity other = ChannelSecurity.token(new SecureRandom());

    private static byte[] random(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void both_ends_receive_what_the_other_sends() throws Exception {
        byte[] there = random(LARGE, 1);
        byte[] back = random(LARGE, 2);
        try (Pair pair = Pair.of(one, other)) {
            CompletableFuture<byte[]> received = Pair.start(() -> {
                byte[] bytes = Pair.receiveBytes(pair.called(), LARGE, 100_000);
                Pair.send(pair.called(), ByteBuffer.wrap(back));
                return bytes;
            });
            Pair.send(pair.caller(), ByteBuffer.wrap(there));

            assertThat(Pair.receiveBytes(pair.caller(), LARGE, 7_001)).isEqualTo(back);
            assertThat(Pair.result(received)).isEqualTo(there);
        }
    }

    @Test
    void a_direct_buffer_of_any_size_receives_a_record_in_parts() throws Exception {
        byte[] sent = random(20_000, 3);
        try (Pair pair = Pair.of(one, other).shaken()) {
            Pair.send(pair.caller(), ByteBuffer.wrap(sent));
            ByteBuffer received = ByteBuffer.allocateDirect(sent.length);
            for (int room = 1; received.hasRemaining(); room = Math.min(2 * room, received.remaining())) {
                received.limit(received.position() + room);
                assertThat(pair.called().read(received)).isPositive();
                received.limit(sent.length);
            }

            byte[] bytes = new byte[sent.length];
            received.flip().get(bytes);
            assertThat(bytes).isEqualTo(sent);
        }
    }

    @Test
    void a_read_and_a_write_without_room_move_nothing() throws Exception {
        try (Pair pair = Pair.of(one, other).shaken()) {
            assertThat(pair.caller().read(ByteBuffer.allocate(0))).isZero();
            assertThat(pair.caller().write(ByteBuffer.allocate(0))).isZero();
        }
    }

    @Test
    void a_reader_and_a_writer_that_both_begin_make_one_handshake() throws Exception {
        try (Pair pair = Pair.of(one, other)) {
            CompletableFuture<String> caller = Pair.start(() -> Pair.receive(pair.caller(), 5));
            CompletableFuture<String> called = Pair.start(() -> Pair.receive(pair.called(), 5));
            Pair.send(pair.caller(), "there");
            Pair.send(pair.called(), "back!");

            assertThat(Pair.result(called)).isEqualTo("there");
            assertThat(Pair.result(caller)).isEqualTo("back!");
        }
    }

    @Test
    void a_reader_receives_while_the_writer_of_its_end_waits() throws Exception {
        try (Pair pair = Pair.of(one, other).shaken()) {
            CompletableFuture<byte[]> written = Pair.start(() -> {
                byte[] bytes = random(LARGE, 4);
                Pair.send(pair.caller(), ByteBuffer.wrap(bytes));
                return bytes;
            });
            Pair.send(pair.called(), "hello");

            assertThat(Pair.receive(pair.caller(), 5)).isEqualTo("hello");
            assertThat(written).isNotDone();
            assertThat(Pair.receiveBytes(pair.called(), LARGE, 64_000)).isEqualTo(Pair.result(written));
        }
    }

    @Test
    void no_ticket_follows_the_handshake() throws Exception {
        try (Pair pair = Pair.of(one, other).shaken()) {
            pair.callerSocket().configureBlocking(false);

            assertThat(pair.callerSocket().read(ByteBuffer.allocate(1)))
                    .as("a ticket resumes a session, and an end that closes with one unread resets the connection")
                    .isZero();
        }
    }

    @Test
    void an_end_of_the_output_leaves_the_other_direction_open() throws Exception {
        try (Pair pair = Pair.of(one, other).shaken()) {
            Pair.send(pair.caller(), "last");
            pair.caller().shutdownOutput();

            assertThat(Pair.receive(pair.called(), 4)).isEqualTo("last");
            assertThat(pair.called().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThat(pair.called().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            Pair.send(pair.called(), "answer");
            assertThat(Pair.receive(pair.caller(), 6)).isEqualTo("answer");
            assertThatThrownBy(() -> Pair.send(pair.caller(), "more")).isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void a_cut_is_an_error_and_no_end_of_the_stream() throws Exception {
        try (Pair pair = Pair.of(one, other).shaken()) {
            Pair.send(pair.caller(), "part");
            pair.caller().close();

            assertThat(Pair.receive(pair.called(), 4)).isEqualTo("part");
            assertThatThrownBy(() -> pair.called().read(ByteBuffer.allocate(1)))
                    .isInstanceOf(EOFException.class)
                    .hasMessage("the connection ended without the peer's end of output");
        }
    }

    @Test
    void a_cut_within_the_handshake_names_it() throws Exception {
        try (Pair pair = Pair.of(one, other)) {
            pair.callerSocket().close();
            Throwable first = catchThrowable(() -> pair.called().read(ByteBuffer.allocate(1)));

            assertThat(first)
                    .isInstanceOf(EOFException.class)
                    .hasMessage("the connection ended within the TLS handshake");
            assertThat(catchThrowable(() -> pair.called().write(ByteBuffer.allocate(1))))
                    .as("a handshake is not made twice")
                    .isSameAs(first);
        }
    }

    @Test
    void changed_bytes_are_refused() throws Exception {
        try (Pair pair = Pair.of(one, other).shaken()) {
            byte[] record = new byte[5 + 40];
            record[0] = 0x17;
            record[1] = 3;
            record[2] = 3;
            record[4] = 40;
            pair.callerSocket().write(ByteBuffer.wrap(record));

            assertThatThrownBy(() -> pair.called().read(ByteBuffer.allocate(1))).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void a_record_that_is_too_long_is_refused() throws Exception {
        try (Pair pair = Pair.of(one, other).shaken()) {
            pair.callerSocket().write(ByteBuffer.wrap(new byte[] {0x17, 3, 3, 0x41, 1}));

            assertThatThrownBy(() -> pair.called().read(ByteBuffer.allocate(1)))
                    .isInstanceOf(SSLException.class)
                    .hasMessage("a TLS record must have a type from 20 to 23 and at most 16640 bytes, had type 23 and"
                            + " 16641 bytes");
        }
    }

    @Test
    void a_peer_that_only_requests_new_keys_is_refused() throws Exception {
        try (Pair pair = Pair.of(ChannelSecurity.plain(), other)) {
            SSLEngine engine = TlsContext.selfSigned(new SecureRandom()).engine(true);
            TlsChannel caller = new TlsChannel(pair.callerSocket(), engine, new TlsRecordBuffers());
            CompletableFuture<ChannelBinding> binding = Pair.start(caller::binding);
            pair.called().binding();
            Pair.result(binding);
            for (int i = 0; i < 2; i++) {
                requestKeys(engine, pair.callerSocket(), 64);
                Pair.send(caller, "x");
                assertThat(Pair.receive(pair.called(), 1)).isEqualTo("x");
                Pair.send(pair.called(), "answers");
            }
            requestKeys(engine, pair.callerSocket(), 65);

            assertThatThrownBy(() -> pair.called().read(ByteBuffer.allocate(1)))
                    .isInstanceOf(SSLException.class)
                    .hasMessage("the peer must send at most 64 records without content until this end writes, sent"
                            + " more");
        }
    }

    private static void requestKeys(SSLEngine engine, SocketChannel socket, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            ByteBuffer record = ByteBuffer.allocate(20_000);
            engine.beginHandshake();
            engine.wrap(ByteBuffer.allocate(0), record);
            socket.write(record.flip());
        }
    }

    @Test
    void a_chain_of_two_certificates_is_refused() throws Exception {
        TlsIdentity identity = TlsIdentity.selfSigned(new SecureRandom());
        X509Certificate certificate = identity.chain().get(0);
        TlsContext chain = new TlsContext(
                new TlsIdentity(identity.key(), List.of(certificate, certificate)),
                new SingleCertificateTrust(),
                new SecureRandom());
        try (Pair pair = Pair.of(ChannelSecurity.plain(), other)) {
            TlsChannel caller = new TlsChannel(pair.callerSocket(), chain.engine(true), new TlsRecordBuffers());
            CompletableFuture<Integer> read = Pair.start(() -> caller.read(ByteBuffer.allocate(1)));

            assertThatThrownBy(() -> pair.called().read(ByteBuffer.allocate(1)))
                    .isInstanceOf(SSLException.class)
                    .hasMessageEndingWith("the peer must send one certificate, sent 2");
            assertThatThrownBy(() -> Pair.result(read))
                    .as("the caller gets an alert")
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("certificate");
        }
    }

    @Test
    void an_interrupt_ends_a_read_as_that_of_a_socket() throws Exception {
        try (Pair pair = Pair.of(one, other).shaken()) {
            assertThatThrownBy(() -> interrupted(() -> pair.caller().read(ByteBuffer.allocate(1))))
                    .isInstanceOf(ClosedByInterruptException.class);
            assertThat(pair.caller().isOpen()).isFalse();
        }
    }

    @Test
    void an_interrupt_ends_a_write_as_that_of_a_socket() throws Exception {
        try (Pair pair = Pair.of(one, other).shaken()) {
            assertThatThrownBy(() -> interrupted(() -> {
                        while (true) {
                            pair.caller().write(ByteBuffer.allocate(100_000));
                        }
                    }))
                    .isInstanceOf(ClosedByInterruptException.class);
        }
    }

    @Test
    void an_interrupt_ends_a_handshake() throws Exception {
        try (Pair pair = Pair.of(one, other)) {
            assertThatThrownBy(() -> interrupted(() -> pair.caller().read(ByteBuffer.allocate(1))))
                    .isInstanceOf(ClosedByInterruptException.class);
        }
    }

    /** Work that ends by an exception. */
    @FunctionalInterface
    private interface Wait {
        void begin() throws Exception;
    }

    private static void interrupted(Wait wait) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> end = Pair.start(() -> {
            thread.complete(Thread.currentThread());
            begun.countDown();
            wait.begin();
            return true;
        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        Pair.result(thread).interrupt();
        Pair.result(end);
    }

    @Test
    void a_close_ends_a_read_a_write_and_a_handshake() throws Exception {
        try (Pair pair = Pair.of(one, other).shaken();
                Pair silent = Pair.of(one, other)) {
            CompletableFuture<Integer> read = Pair.start(() -> pair.caller().read(ByteBuffer.allocate(1)));
            CompletableFuture<Integer> write = Pair.start(() -> {
                while (true) {
                    pair.caller().write(ByteBuffer.allocate(100_000));
                }
            });
            CompletableFuture<Integer> handshake =
                    Pair.start(() -> silent.caller().read(ByteBuffer.allocate(1)));
            pair.caller().close();
            silent.caller().close();

            assertThatThrownBy(() -> Pair.result(read)).isInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(() -> Pair.result(write)).isInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(() -> Pair.result(handshake)).isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void an_end_of_the_input_ends_a_read_and_leaves_the_output() throws Exception {
        try (Pair pair = Pair.of(one, other).shaken()) {
            CompletableFuture<Integer> read = Pair.start(() -> pair.caller().read(ByteBuffer.allocate(1)));
            pair.caller().shutdownInput();

            assertThat(Pair.result(read)).isEqualTo(-1);
            Pair.send(pair.caller(), "still");
            assertThat(Pair.receive(pair.called(), 5)).isEqualTo("still");
        }
    }

    @Test
    void a_look_takes_what_has_arrived_and_waits_for_nothing() throws Exception {
        try (Pair pair = Pair.of(one, other)) {
            ByteBuffer into = ByteBuffer.allocate(3);
            assertThat(pair.called().readArrived(into))
                    .as("before the handshake")
                    .isZero();
            pair.shaken();
            assertThat(pair.called().readArrived(into))
                    .as("nothing has arrived")
                    .isZero();
            Pair.send(pair.caller(), "arrived");

            assertThat(arrived(pair.called(), into)).isEqualTo(3);
            assertThat(new String(into.array(), StandardCharsets.US_ASCII)).isEqualTo("arr");
            assertThat(Pair.receive(pair.called(), 4)).isEqualTo("ived");
        }
    }

    @Test
    void a_look_sees_no_byte_in_a_part_of_a_record_and_in_a_renewal_of_keys() throws Exception {
        try (Pair pair = Pair.of(ChannelSecurity.plain(), other)) {
            SSLEngine engine = TlsContext.selfSigned(new SecureRandom()).engine(true);
            TlsChannel caller = new TlsChannel(pair.callerSocket(), engine, new TlsRecordBuffers());
            CompletableFuture<ChannelBinding> binding = Pair.start(caller::binding);
            pair.called().binding();
            Pair.result(binding);
            requestKeys(engine, pair.callerSocket(), 1);
            ByteBuffer record = ByteBuffer.allocate(20_000);
            engine.wrap(ByteBuffer.wrap(new byte[] {7}), record);
            record.flip();
            for (ByteBuffer part : List.of(record.slice(0, 10), record.slice(10, 10))) {
                pair.callerSocket().write(part);
                assertThat(pair.called().readArrived(ByteBuffer.allocate(1))).isZero();
            }
            pair.callerSocket().write(record.position(20));
            ByteBuffer into = ByteBuffer.allocate(1);

            assertThat(arrived(pair.called(), into)).isEqualTo(1);
            assertThat(into.get(0)).isEqualTo((byte) 7);
        }
    }

    @Test
    void a_look_sees_an_end_and_a_cut() throws Exception {
        try (Pair pair = Pair.of(one, other).shaken();
                Pair cut = Pair.of(one, other).shaken()) {
            pair.caller().shutdownOutput();
            assertThat(arrived(pair.called(), ByteBuffer.allocate(1))).isEqualTo(-1);
            cut.caller().close();
            assertThatThrownBy(() -> arrived(cut.called(), ByteBuffer.allocate(1)))
                    .isInstanceOf(EOFException.class);
        }
    }

    /** Looks until the kernel has delivered something. */
    private static int arrived(PeerChannel channel, ByteBuffer into) throws Exception {
        return Pair.result(Pair.start(() -> {
            int read;
            do {
                read = channel.readArrived(into);
            } while (read == 0);
            return read;
        }));
    }
}
