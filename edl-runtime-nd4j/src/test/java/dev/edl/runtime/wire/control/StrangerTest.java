package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.bounds.TimerService;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that break the protocol: each gets an error that names the cause, and the master serves the others. */
@Timeout(60)
class StrangerTest {
    private final ManualTimers alarms = new ManualTimers();
    private final NotedMaster master = new NotedMaster();
    private final Loopback loopback = new Loopback(alarms);

    @BeforeEach
    void serve() {
        loopback.listener.serves(Loopback.lead(ShardPortContract.FIRST, false), worker -> master);
        loopback.worker("a");
    }

    @AfterEach
    void close() {
        loopback.close();
    }

    private void goesOn() throws InterruptedException {
        assertThat(loopback.link("a").present()).isPresent();
        loopback.worker("a").next();
        assertThat(master.nextCall()).isEqualTo("next");
    }

    @Test
    void slow_caller_is_disconnected_after_the_handshake_timeout() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener)) {
            byte[] greeting = Stranger.hello("");
            assertThat(greeting.length).isGreaterThan(60);
            alarms.await(Duration.ofMinutes(1));
            for (int second = 0; second < 59; second++) {
                stranger.sends(new byte[] {greeting[second]});
                alarms.pass(Duration.ofSeconds(1));
            }
            assertThat(stranger.channel.isOpen()).isTrue();
            alarms.pass(Duration.ofSeconds(1));
            assertThatThrownBy(stranger::hears)
                    .isInstanceOf(IOException.class)
                    .hasMessage("the caller did not authenticate within 1m, the bound connections.greeting");
            alarms.pass(Loopback.CLOSE);

            assertThatThrownBy(() -> {
                        while (true) {
                            stranger.sends(greeting);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        goesOn();
    }

    @Test
    void oversized_message_before_authentication_is_rejected_unread() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener)) {
            stranger.sends(Stranger.frame(1, new byte[32 + 8192 + 4]));

            assertThatThrownBy(stranger::hears)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the caller at /127.0.0.1:")
                    .hasMessageContaining(": the body of HELLO must have at most 8224 bytes here");
        }
        goesOn();
    }

    @Test
    void oversized_message_of_a_worker_ends_its_connection() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener).worker("b")) {
            stranger.says(Message.tell("notes", Map.of("much", "x".repeat(MessageConnection.LARGEST))));

            assertThatThrownBy(stranger::hears)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("b: the body of MESSAGE must have at most 2097152 bytes here");
        }
        assertThat(loopback.hears()).isEqualTo("left b");
        goesOn();
    }

    @Test
    void corrupted_message_ends_the_connection() throws Exception {
        byte[] message = Stranger.bytes(Message.ask(1, "next", Map.of()));
        message[message.length - 10] ^= 4;
        try (Stranger stranger = new Stranger(loopback.listener).worker("b")) {
            stranger.sends(message);

            assertThatThrownBy(stranger::hears)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("b: the checksum of MESSAGE must be ");
        }
        assertThat(loopback.hears()).isEqualTo("left b");
        assertThat(master.calls).isEmpty();
        goesOn();
    }

    @Test
    void invalid_message_ends_the_connection() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener).worker("b")) {
            stranger.messages.write("{\"id\":7}".getBytes(StandardCharsets.UTF_8), Loopback.FRAME);
            stranger.messages.flush(Loopback.FRAME);

            assertThatThrownBy(stranger::hears)
                    .isInstanceOf(IOException.class)
                    .hasMessage("a message has no kind, for example ASK");
        }
        goesOn();
    }

    @Test
    void worker_that_reads_no_responses_is_disconnected() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener).worker("b")) {
            byte[] request = Stranger.bytes(Message.ask(1, "settle", Map.of()));
            assertThatThrownBy(() -> {
                        while (true) {
                            stranger.sends(request);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        assertThat(loopback.hears()).isEqualTo("left b");
        goesOn();
    }

    @Test
    void silent_unauthenticated_callers_do_not_block_workers() throws Exception {
        List<Stranger> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < ConnectionSettings.defaults().strangers() + 1; i++) {
                strangers.add(new Stranger(loopback.listener));
            }
            // The oldest unauthenticated connection is closed for the newest.
            assertThatThrownBy(strangers.get(0)::hears).isInstanceOf(IOException.class);
            loopback.worker("b").next();
            assertThat(master.nextCall()).isEqualTo("next");
            assertThatThrownBy(strangers.get(1)::hears).isInstanceOf(IOException.class);
            goesOn();

            alarms.pass(Duration.ofMinutes(1));
            for (Stranger stranger : strangers.subList(2, strangers.size())) {
                assertThatThrownBy(stranger::hears)
                        .isInstanceOf(IOException.class)
                        .hasMessage("the caller did not authenticate within 1m, the bound connections.greeting");
            }
        } finally {
            strangers.forEach(Stranger::close);
        }
    }

    @Test
    void authentication_cancels_the_handshake_timer() throws Exception {
        assertThat(alarms.pending()).doesNotContain(Duration.ofMinutes(1));
        try (Stranger stranger = new Stranger(loopback.listener)) {
            alarms.await(Duration.ofMinutes(1));
            stranger.begins("");
            assertThat(alarms.pending()).contains(Duration.ofMinutes(1));
        }
        try (Stranger other = new Stranger(loopback.listener).worker("b")) {
            assertThat(loopback.listener.streams()).isEqualTo(2);
            other.messages.last(null, Loopback.FRAME);
            assertThat(other.messages.message(1, Loopback.FRAME)).isNull();
        }
        assertThat(loopback.hears()).isEqualTo("left b");
        loopback.listener.close();

        assertThat(alarms.pending()).doesNotContain(Duration.ofMinutes(1));
    }

    @Test
    void caller_is_dropped_on_resource_exhaustion_and_the_next_is_accepted() throws Exception {
        AtomicBoolean full = new AtomicBoolean();
        TimerService none = new TimerService() {
            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public Runnable schedule(Duration delay, Runnable task) {
                if (full.getAndSet(false)) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                return () -> {};
            }
        };
        try (Loopback small = new Loopback(none)) {
            small.listener.serves(Loopback.lead(ShardPortContract.FIRST, false), worker -> master);
            full.set(true);
            try (Stranger stranger = new Stranger(small.listener)) {
                assertThatThrownBy(stranger::hears).isInstanceOf(IOException.class);
            }
            small.worker("b").next();
        }

        assertThat(master.nextCall()).isEqualTo("next");
    }

    @Test
    void last_of_several_waiting_connections_of_a_worker_wins() throws Exception {
        loopback.listener.retire();
        List<Stranger> streams = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                streams.add(new Stranger(loopback.listener).knocks("b"));
                // The order of the connections is that in which the master has authenticated them.
                while (loopback.listener.waiting() < streams.size()) {
                    Thread.onSpinWait();
                }
            }
            loopback.listener.serves(Loopback.lead(ShardPortContract.FIRST, false), worker -> master);
            for (Stranger stream : streams) {
                stream.hears();
            }
            for (Stranger half : streams.subList(0, 7)) {
                assertThat(half.messages.message(1, Loopback.FRAME)).isNull();
            }
            streams.get(7).says(Message.ask(1, "next", Map.of()));

            assertThat(streams.get(7).hears()).isNotEmpty();
        } finally {
            streams.forEach(Stranger::close);
        }
    }
}
