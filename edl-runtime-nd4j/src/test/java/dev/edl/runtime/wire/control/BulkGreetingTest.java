package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.internal.threads.ManualTimers;
import dev.edl.runtime.inprocess.Waits;
import dev.edl.runtime.wire.control.internal.BulkTransferClient;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.MessageJson;
import dev.edl.runtime.wire.control.internal.RemoteFailure;
import dev.edl.runtime.wire.tls.ChannelBinding;
import dev.edl.runtime.wire.tls.ChannelSecurity;
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

    private static Map<String, Object> model(Map<String, ?> proof) {
        return Stranger.model(1, proof);
    }

    private void isRefused(Stranger stranger, Message request, String reason) throws IOException {
        stranger.says(request);
        assertThatThrownBy(stranger::hears).isInstanceOf(IOException.class).hasMessage(reason);
        assertThat(master.calls).isEmpty();
    }

    @Test
    void caller_with_the_token_and_the_session_gets_the_model() throws Exception {
        try (Stranger caller = new Stranger(loopback.listener)) {
            caller.says(Message.ask(0, "model", model(caller.bulk(SESSION))));

            assertThat(caller.hears()).hasToString("{\"same\":false}");
        }
        assertThat(master.nextCall()).isEqualTo("model 1");
    }

    @Test
    void name_of_a_session_alone_gets_nothing() throws Exception {
        try (Stranger observer = new Stranger(loopback.listener)) {
            isRefused(
                    observer,
                    Message.ask(0, "model", model(Map.of("session", SESSION))),
                    "\"model\" is not expected from a caller that is NEW");
        }
    }

    @Test
    void download_without_the_token_is_refused() throws Exception {
        try (Stranger observer = new Stranger(loopback.listener)) {
            observer.bulk(SESSION);
            isRefused(observer, Message.ask(0, "model", model(Map.of("proof", new byte[32]))), UNPROVED);
        }
    }

    @Test
    void upload_without_the_token_is_refused() throws Exception {
        try (Stranger observer = new Stranger(loopback.listener)) {
            observer.bulk(SESSION);
            isRefused(
                    observer,
                    Message.ask(
                            0,
                            "predicted",
                            Map.of("task", NotedMaster.task(1, 4), "outputs", 1, "proof", new byte[32])),
                    UNPROVED);
        }
    }

    @Test
    void replayed_proof_is_refused() throws Exception {
        try (Stranger caller = new Stranger(loopback.listener);
                Stranger observer = new Stranger(loopback.listener)) {
            Map<String, ?> seen = caller.bulk(SESSION);
            observer.bulk(SESSION);
            isRefused(observer, Message.ask(0, "model", model(seen)), UNPROVED);
        }
    }

    @Test
    void proof_of_one_session_is_not_valid_for_another() throws Exception {
        loopback.worker("b");
        try (Stranger caller = new Stranger(loopback.listener)) {
            byte[] mine = Loopback.SECRET.nonce();
            caller.says(Message.tell("bulk", Map.of("session", "session-2", "nonce", mine)));
            byte[] theirs = MessageJson.value(caller.hears().path("nonce"), byte[].class);
            Map<String, ?> first = Map.of(
                    "proof", Loopback.SECRET.proof("bulk caller of " + SESSION, ChannelBinding.PLAIN, mine, theirs));
            isRefused(caller, Message.ask(0, "model", model(first)), UNPROVED);
        }
    }

    @Test
    void caller_that_stays_silent_on_a_bulk_connection_is_cut_off() throws Exception {
        try (Stranger stranger = new Stranger(loopback.listener)) {
            stranger.bulk(SESSION);
            alarms.pass(Duration.ofMinutes(1));

            assertThatThrownBy(stranger::hears).isInstanceOf(IOException.class);
        }
    }

    /** Lets a stranger answer the greeting of a download, and returns the error of the download. */
    private Throwable download(Message answer) throws Exception {
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            BulkTransferClient client = new BulkTransferClient(
                    (InetSocketAddress) listening.getLocalAddress(),
                    ChannelSecurity.plain(),
                    alarms,
                    transfer -> new BulkGreeting(Loopback.SECRET, SESSION).call(transfer, Loopback.FRAME),
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
                inPlace.hears();
                inPlace.says(answer);
                // The caller leaves without a proof.
                assertThatThrownBy(inPlace::hears).isInstanceOf(IOException.class);
            }
            return failure.get(Loopback.BOUND.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void master_without_the_token_gets_no_request() throws Exception {
        assertThat(download(Message.tell("prove", Map.of("nonce", new byte[8], "proof", new byte[32]))))
                .isInstanceOf(IOException.class)
                .hasMessage("model: the master failed to authenticate with this job's token");
    }

    @Test
    void failure_reported_before_the_proof_is_that_of_the_connection() throws Exception {
        assertThat(download(Message.failed(0, RemoteFailure.of(new IllegalStateException("no such version")))))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("model: the master did not authenticate: ");
    }
}
