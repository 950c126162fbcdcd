package dev.edl.runtime.remote.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.remote.control.internal.Args;
import dev.edl.runtime.remote.control.internal.Line;
import dev.edl.runtime.remote.control.internal.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers that keep to no protocol: each hears what is wrong, and the master goes on with the others. */
class StrangerTest {
    private final ManualAlarms alarms = new ManualAlarms();
    private final NotedMaster master = new NotedMaster();
    private final Loopback loopback = new Loopback(alarms);

    @BeforeEach
    void serve() {
        loopback.listener.serves(Loopback.lead(ShardPortContract.FIRST, false), worker -> master, Set.of());
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
    void a_caller_that_says_one_byte_a_second_is_sent_away_when_the_time_of_the_handshake_is_over() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener)) {
            byte[] greeting = Stranger.bytes(Stranger.greeting());
            assertThat(greeting.length).isGreaterThan(60);
            alarms.await(Duration.ofMinutes(1));
            for (int second = 0; second < 59; second++) {
                stranger.sends(new byte[] {greeting[second]});
                alarms.pass(Duration.ofSeconds(1));
            }
            assertThat(stranger.channel.isOpen()).isTrue();
            alarms.pass(Duration.ofSeconds(1));
            assertThat(stranger.hears().path("reason").textValue())
                    .isEqualTo("the caller has not said who it is in time");
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
    void a_message_that_is_too_large_for_a_stranger_is_refused_before_it_is_read() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener)) {
            stranger.says(Message.tell("greet", Args.of("nonce", new byte[3 * Line.SMALL / 4])));

            assertThatThrownBy(stranger::hears)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the caller at /127.0.0.1:")
                    .hasMessageContaining(": the body of MESSAGE must have at most 65536 bytes here");
        }
        goesOn();
    }

    @Test
    void a_message_that_is_too_large_for_a_worker_ends_its_stream() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener).worker("b")) {
            stranger.says(Message.tell("notes", Args.of("much", "x".repeat(Line.LARGEST))));

            assertThatThrownBy(stranger::hears)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("b: the body of MESSAGE must have at most 2097152 bytes here");
        }
        assertThat(loopback.hears()).isEqualTo("left b");
        goesOn();
    }

    @Test
    void a_message_that_was_changed_on_its_way_ends_the_stream() throws Exception {
        byte[] message = Stranger.bytes(Message.ask(1, "next", Args.none()));
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
    void what_is_no_message_ends_the_stream() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener).worker("b")) {
            stranger.wire.write("{\"id\":7}".getBytes(StandardCharsets.UTF_8), Loopback.BOUND);
            stranger.wire.flush(Loopback.BOUND);

            assertThatThrownBy(stranger::hears)
                    .isInstanceOf(IOException.class)
                    .hasMessage("a message has no kind, for example ASK");
        }
        goesOn();
    }

    @Test
    void a_worker_that_reads_no_answers_is_cut_off() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener).worker("b")) {
            byte[] request = Stranger.bytes(Message.ask(1, "settle", Args.none()));
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
    void strangers_take_no_more_than_their_places_and_give_them_back() throws Exception {
        List<Stranger> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < Desks.STRANGERS; i++) {
                strangers.add(new Stranger(loopback.listener));
            }
            try (Stranger more = new Stranger(loopback.listener)) {
                assertThatThrownBy(more::hears)
                        .isInstanceOf(IOException.class)
                        .hasMessage("64 callers at this master have not said who they are");
            }
            goesOn();
            alarms.pass(Duration.ofMinutes(1));
            for (Stranger stranger : strangers) {
                stranger.hears();
                assertThat(stranger.wire.message(1, Loopback.BOUND)).isNull();
                stranger.close();
            }
            // Each thread of a stranger ends by itself; a caller tries again until one has.
            loopback.worker("b").next();
            assertThat(master.nextCall()).isEqualTo("next");
        } finally {
            strangers.forEach(Stranger::close);
        }
    }
}
