package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.LogRecords;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.frames.Greeting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another program answers at the master's address, for example another job's master in a pod with a reused address. */
@Timeout(60)
class StrangerMasterTest {
    private static final Duration PAUSE = Duration.ofMillis(50);
    /** REFUSED with the text "no token", from docs/wire.md. */
    private static final String REFUSED = "45444c46010005000c00000001000000" + "00000000000000000000000000000000"
            + "080000006e6f20746f6b656e5b0b8ba0";

    private final ManualTimers alarms = new ManualTimers();
    private final NotedMaster master = new NotedMaster();
    private final Loopback loopback = new Loopback(alarms);

    @AfterEach
    void close() {
        loopback.close();
    }

    /** Sends an answer to a caller's greeting. */
    @FunctionalInterface
    private interface Answer {
        void to(Stranger caller) throws IOException;
    }

    private CallerConfig first(InetSocketAddress stranger, AtomicBoolean gone) {
        CallerConfig known = loopback.caller(Hello.Role.WORKER, 3, "worker-3");
        return new CallerConfig(
                () -> gone.getAndSet(true) ? known.address().get() : stranger,
                known.hello(),
                known.run(),
                known.handshake(),
                known.codec(),
                known.timers(),
                known.jitter(),
                known.absence(),
                known.settings());
    }

    /** Lets a stranger answer the first attempt of a worker, and checks that the second one reaches the master. */
    private void waitsFor(Answer answer, String... warnings) throws Exception {
        loopback.listener.serves(Loopback.lead(ShardPortContract.FIRST, false), worker -> master);
        try (ServerSocketChannel listening = ServerSocketChannel.open();
                LogRecords log = new LogRecords(MasterDialer.class)) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            InetSocketAddress address = (InetSocketAddress) listening.getLocalAddress();
            try (WorkerLink link = WorkerLink.of(first(address, new AtomicBoolean()))) {
                FutureTask<Optional<MasterPort>> reached = new FutureTask<>(() -> link.master(() -> {}));
                Waits.THREADS.execute(reached);
                try (Stranger caller = Stranger.accepted(listening)) {
                    answer.to(caller);
                    alarms.await(PAUSE);
                    assertThat(reached.isDone()).isFalse();
                    alarms.pass(PAUSE);
                }
                assertThat(reached.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS))
                        .isPresent();
            }
            assertThat(log.records())
                    .extracting(LogRecord::getMessage)
                    .containsExactlyElementsOf(Stream.of(warnings)
                            .map(reason -> "worker-3 could not authenticate its master, retrying for at most 10m,"
                                    + " the absenceTimeout: the master at /127.0.0.1:"
                                    + address.getPort() + " " + reason)
                            .toList());
        }
    }

    @Test
    void caller_waits_for_its_master_behind_one_of_another_token() throws Exception {
        waitsFor(
                caller -> assertThatThrownBy(() -> caller.messages.answer(
                                Loopback.other(), session -> Greeting.Purpose.master(Loopback.RUN)))
                        .isInstanceOf(IOException.class),
                "failed to authenticate with this job's token as master of run \"run-1\"");
    }

    @Test
    void refusal_before_the_proof_ends_no_caller() throws Exception {
        waitsFor(
                caller -> {
                    caller.messages.refuse();
                    caller.messages.last("not you", Loopback.FRAME);
                },
                "sent REFUSED before it authenticated: not you");
    }

    @Test
    void refused_frame_before_the_proof_ends_no_caller() throws Exception {
        waitsFor(
                caller -> caller.sends(HexFormat.of().parseHex(REFUSED)),
                "sent REFUSED before it authenticated: no token");
    }

    @Test
    void unauthenticated_master_cannot_report_that_the_training_has_finished() throws Exception {
        waitsFor(
                caller -> caller.says(Message.tell("finished", Map.of())),
                "cannot be greeted: the master of worker-3: MESSAGE is not allowed here");
    }

    @Test
    void unauthenticated_master_cannot_welcome_a_caller() throws Exception {
        waitsFor(
                caller -> caller.says(Message.tell(
                        "welcome", Loopback.lead(ShardPortContract.FIRST, false).welcome("session-1"))),
                "cannot be greeted: the master of worker-3: MESSAGE is not allowed here");
    }

    @Test
    void bytes_of_another_program_end_no_caller() throws Exception {
        waitsFor(
                caller -> caller.sends(
                        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.UTF_8)),
                "cannot be greeted: the master of worker-3: a frame must begin with 45444c46, began with 48545450");
    }

    @Test
    void master_of_another_protocol_ends_no_caller() throws Exception {
        byte[] frame = Stranger.frame(2, new byte[64]);
        frame[4] = 9;
        waitsFor(caller -> caller.sends(Stranger.sealed(frame)), "cannot be greeted: the protocol must be 3, was 9");
    }
}
