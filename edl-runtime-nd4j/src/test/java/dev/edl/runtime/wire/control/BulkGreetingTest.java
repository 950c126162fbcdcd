package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.control.internal.BulkTransferClient;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.frames.Greeting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strangers at both ends of a bulk connection; they know the session's name from the network. */
@Timeout(60)
class BulkGreetingTest {
    private static final String SESSION = "session-1";
    private static final String UNPROVED = "the caller failed to authenticate with this job's token";

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

    private void isRefused(Stranger stranger, Message request) throws IOException {
        stranger.says(request);
        assertThatThrownBy(stranger::hears).isInstanceOf(IOException.class).hasMessage(UNPROVED);
        assertThat(master.calls).isEmpty();
    }

    @Test
    void caller_with_the_token_and_the_session_gets_the_model() throws Exception {
        try (Stranger caller = new Stranger(loopback.listener)) {
            caller.content(SESSION);
            caller.says(Message.ask(0, "model", Stranger.model(1)));

            assertThat(caller.hears()).hasToString("{\"same\":false}");
        }
        assertThat(master.nextCall()).isEqualTo("model 1");
    }

    @Test
    void name_of_a_session_alone_gets_nothing() throws Exception {
        try (Stranger observer = new Stranger(loopback.listener)) {
            observer.says(Message.ask(0, "model", Map.of("session", SESSION)));

            assertThatThrownBy(observer::hears)
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith(": MESSAGE is not allowed here");
        }
        assertThat(master.calls).isEmpty();
    }

    @Test
    void download_without_the_token_is_refused() throws Exception {
        try (Stranger observer = new Stranger(loopback.listener)) {
            observer.begins(SESSION);
            observer.proves(new byte[32]);
            isRefused(observer, Message.ask(0, "model", Stranger.model(1)));
        }
    }

    @Test
    void upload_without_the_token_is_refused() throws Exception {
        try (Stranger observer = new Stranger(loopback.listener)) {
            observer.begins(SESSION);
            observer.proves(new byte[32]);
            isRefused(observer, Message.ask(0, "predicted", Map.of("task", NotedMaster.task(1, 4), "outputs", 1)));
        }
    }

    @Test
    void replayed_proof_is_refused() throws Exception {
        try (Stranger caller = new Stranger(loopback.listener);
                Stranger observer = new Stranger(loopback.listener)) {
            byte[] seen = Stranger.proof(SESSION, caller.begins(SESSION));
            caller.proves(seen);
            caller.says(Message.ask(0, "model", Stranger.model(1)));
            assertThat(caller.hears()).hasToString("{\"same\":false}");
            assertThat(master.nextCall()).isEqualTo("model 1");
            observer.begins(SESSION);
            observer.proves(seen);
            isRefused(observer, Message.ask(0, "model", Stranger.model(1)));
        }
    }

    @Test
    void proof_of_one_session_is_not_valid_for_another() throws Exception {
        loopback.worker("b");
        try (Stranger caller = new Stranger(loopback.listener)) {
            caller.proves(Stranger.proof(SESSION, caller.begins("session-2")));
            isRefused(caller, Message.ask(0, "model", Stranger.model(1)));
        }
    }

    @Test
    void caller_that_stays_silent_on_a_bulk_connection_is_cut_off() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener)) {
            stranger.begins(SESSION);
            alarms.pass(Duration.ofMinutes(1));

            assertThatThrownBy(stranger::hears).isInstanceOf(IOException.class);
        }
        try (Stranger stranger = new Stranger(loopback.listener)) {
            stranger.content(SESSION);
            FutureTask<Throwable> end = new FutureTask<>(() -> catchThrowable(stranger::hears));
            Waits.THREADS.execute(end);
            while (!end.isDone()) {
                alarms.pass(Duration.ofSeconds(1));
            }

            assertThat(end.get()).isInstanceOf(IOException.class);
        }
    }

    /** Lets a stranger answer the greeting of a download, and returns the error of the download. */
    private Throwable download(byte[] answer) throws Exception {
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            BulkTransferClient client = new BulkTransferClient(
                    (InetSocketAddress) listening.getLocalAddress(),
                    Loopback.SECRET,
                    Greeting.Purpose.content(Loopback.RUN, SESSION),
                    alarms,
                    Loopback.bounds().build());
            FutureTask<Throwable> failure = new FutureTask<>(() -> {
                try {
                    client.download("model", Map.of(), (head, from) -> from.readAllBytes());
                    return new AssertionError("the stranger's model was accepted");
                } catch (IOException | RuntimeException expected) {
                    return expected;
                }
            });
            Waits.THREADS.execute(failure);
            try (Stranger inPlace = Stranger.accepted(listening)) {
                inPlace.readsHello();
                inPlace.sends(answer);
                // The caller leaves without a proof.
                assertThatThrownBy(inPlace::hears).isInstanceOf(IOException.class);
            }
            return failure.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void master_without_the_token_gets_no_request() throws Exception {
        assertThat(download(Stranger.frame(2, new byte[64])))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "model: the master failed to authenticate with this job's token as master of run \"run-1\"");
    }

    @Test
    void failure_reported_before_the_proof_is_that_of_the_connection() throws Exception {
        assertThat(download(Stranger.frame(15, new byte[] {4, 0, 0, 0, 'n', 'o', 'n', 'e'})))
                .isInstanceOf(IOException.class)
                .hasMessage("model: the master sent ERROR before it authenticated: none");
    }
}
