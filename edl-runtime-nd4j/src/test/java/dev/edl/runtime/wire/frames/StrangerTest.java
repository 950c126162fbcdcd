package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.auth.JobToken;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.bounds.TimeBound;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests callers of another job or another build. */
@Timeout(60)
class StrangerTest {
    private final Loopback loopback = Loopback.floats(1, 4, Consistency.asynchronous());
    private final Handshake stranger =
            new Handshake(JobToken.create(new SecureRandom()), new SecureRandom(), ChannelSecurity.plain());

    @AfterEach
    void close() {
        loopback.close();
    }

    private void pull(RemoteShards worker) throws InterruptedException {
        worker.pull(new float[4], List.of(), new WeightVersions(1));
    }

    private ShardClientConfig caller(String run, ShardContents contents, Handshake handshake) {
        return new ShardClientConfig(
                run, "w", contents, List.of(), Duration.ofMillis(1), handshake, new ManualTimers());
    }

    private Socket connect() throws IOException {
        Socket socket = loopback.closes(new Socket());
        socket.connect(loopback.addresses().get(0));
        socket.setSoTimeout(20_000);
        return socket;
    }

    @Test
    void worker_disconnects_from_an_unauthenticated_server() {
        RemoteShards worker = loopback.worker(caller(Loopback.RUN, loopback.contents, stranger), loopback.addresses());

        String server = "ps-0 at " + loopback.addresses().get(0).getHostString() + ":"
                + loopback.addresses().get(0).getPort();
        assertThatThrownBy(() -> pull(worker))
                .isInstanceOf(ShardTimeoutException.class)
                .hasMessage("parameter shard ps-0 did not come back within 1ms")
                .hasRootCauseMessage(server + " failed to authenticate with this job's token as ps-0[0..4) of 1 of run"
                        + " \"run-1\"");
    }

    @Test
    void server_refuses_a_caller_with_another_token() throws Exception {
        Socket socket = connect();
        FrameOutput out = new FrameOutput(java.nio.channels.Channels.newChannel(socket.getOutputStream()));
        FrameInput in = new FrameInput(java.nio.channels.Channels.newChannel(socket.getInputStream()));
        out.begin(FrameKind.HELLO, 0, 1, 0, 0, 36)
                .bytes(stranger.nonce())
                .text("")
                .end()
                .flush();
        in.next(kind -> 64);
        assertThat(in.kind()).isEqualTo(FrameKind.CHALLENGE);
        byte[] nonce = in.bytes(32);
        byte[] proof = in.bytes(32);
        in.end();
        // Neither its own proof nor one of another token is accepted.
        assertThat(nonce).isNotEqualTo(proof);
        out.begin(FrameKind.PROOF, 0, 1, 0, 0, 36)
                .bytes(proof)
                .writeInt(0)
                .end()
                .flush();

        in.next(kind -> 100);
        assertThat(in.kind()).isEqualTo(FrameKind.REFUSED);
        assertThat(in.text()).isEqualTo("the caller failed to authenticate with this job's token");
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void silent_unauthenticated_caller_is_disconnected_after_five_seconds() throws Exception {
        Socket socket = connect();
        RemoteShards worker = loopback.worker("w");
        // Accepted after the unauthenticated caller.
        pull(worker);
        loopback.timers.get(0).pass(Duration.ofSeconds(4));
        socket.getOutputStream().write(new byte[] {'E', 'D', 'L', 'F'});
        loopback.timers.get(0).pass(Duration.ofSeconds(1));

        assertThat(closedByServer(socket)).isTrue();
        int before = worker.requests(0);
        loopback.timers.get(0).pass(Duration.ofSeconds(20));
        pull(worker);
        assertThat(worker.requests(0)).isEqualTo(before + 1);
    }

    private static byte[] header(FrameKind kind, int protocol, int body, int bytes) {
        ByteBuffer header = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        header.put(new byte[] {'E', 'D', 'L', 'F'}).putShort((short) protocol);
        header.put((byte) kind.code()).put((byte) 0).putInt(body);
        return header.array();
    }

    private static boolean closedByServer(Socket socket) {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void header_announcing_a_gigabyte_is_rejected_before_allocation() throws Exception {
        Socket socket = connect();
        byte[] header = header(FrameKind.HELLO, FrameKind.PROTOCOL, 1 << 30, 32);
        socket.getOutputStream().write(header);

        assertThat(closedByServer(socket)).isTrue();
        FrameInput in = new FrameInput(java.nio.channels.Channels.newChannel(new java.io.ByteArrayInputStream(header)));
        assertThatThrownBy(() -> in.next(Greeting::limit))
                .isInstanceOf(FrameException.class)
                .hasMessageEndingWith(
                        ": the body of HELLO must have at most 8224 bytes here and a multiple of 4, had 1073741824");
    }

    @Test
    void row_count_beyond_the_body_is_rejected_before_allocation() throws Exception {
        byte[] frame = header(FrameKind.PULL, FrameKind.PROTOCOL, 4, 40);
        frame[35] = 0x40;
        FrameInput in = new FrameInput(java.nio.channels.Channels.newChannel(new java.io.ByteArrayInputStream(frame)));
        in.next(kind -> 100);

        assertThatThrownBy(() -> in.rows(8))
                .isInstanceOf(FrameException.class)
                .hasMessageEndingWith(": the body of PULL has room for 0 rows, had 1073741824");
    }

    @Test
    void server_of_another_run_does_not_authenticate() {
        RemoteShards worker =
                loopback.worker(caller("run-2", loopback.contents, loopback.handshake), loopback.addresses());

        assertThatThrownBy(() -> pull(worker))
                .isInstanceOf(ShardTimeoutException.class)
                .rootCause()
                .hasMessageEndingWith(
                        " failed to authenticate with this job's token as ps-0[0..4) of 1 of run \"run-2\"");
    }

    @Test
    void server_of_another_shard_does_not_authenticate() {
        Loopback two = loopback.closes(Loopback.floats(2, 4, Consistency.asynchronous()));
        InetSocketAddress second = two.addresses().get(1);
        RemoteShards worker = two.worker("w", List.of(second, second), Duration.ofMillis(1));

        assertThatThrownBy(() -> worker.pull(new float[4], List.of(), new WeightVersions(2)))
                .isInstanceOf(ShardTimeoutException.class)
                .rootCause()
                .hasMessageEndingWith(
                        " failed to authenticate with this job's token as ps-0[0..2) of 2 of run \"run-1\"");
    }

    @Test
    void a_worker_of_another_model_is_refused() {
        EmbeddingTable table = new EmbeddingTable("t", 3, 0, 1, Initializer.constant(1));
        ShardContents more =
                ShardContents.of(ParameterLayout.builder().add("w", 4).build(), List.of(table), 7);
        RemoteShards worker = loopback.worker(caller(Loopback.RUN, more, loopback.handshake), loopback.addresses());

        assertThatThrownBy(() -> pull(worker))
                .isInstanceOf(ShardModelMismatchException.class)
                .hasMessageEndingWith("ps-0 is not for w: its model is \"" + more + "\", the server's is \"4 floats\"");
    }

    @Test
    void a_caller_of_another_protocol_is_refused() throws Exception {
        Socket socket = connect();
        byte[] frame = header(FrameKind.HELLO, 9, 0, 36);
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(frame, 0, 32);
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(32, (int) crc.getValue());
        socket.getOutputStream().write(frame);
        FrameInput in = new FrameInput(java.nio.channels.Channels.newChannel(socket.getInputStream()));
        in.next(kind -> 200);

        assertThat(in.kind()).isEqualTo(FrameKind.REFUSED);
        assertThat(in.text()).isEqualTo("ps-0 refuses the caller: the protocol must be 3, was 9");
    }

    @Test
    void no_thread_is_left_when_servers_and_workers_are_closed() throws Exception {
        Loopback other = Loopback.floats(2, 100_000, Consistency.asynchronous());
        RemoteShards worker = RemoteShards.of(
                other.addresses(),
                new ShardClientConfig(
                        Loopback.RUN,
                        "closing",
                        other.contents,
                        List.of(),
                        Duration.ofSeconds(1),
                        other.handshake,
                        new ManualTimers()),
                ConnectionSettings.defaults());
        worker.pull(new float[100_000], List.of(), new WeightVersions(2));
        assertThat(threads(other)).isNotEmpty();
        worker.close();
        other.close();

        // A pool terminates shortly before its thread.
        for (Thread thread : threads(other)) {
            thread.join(20_000);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
        assertThatThrownBy(() -> worker.pull(new float[100_000], List.of(), new WeightVersions(2)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the connections to the parameter shards are closed");
    }

    /** Returns threads of a worker by its name, and of servers by their callers' or their own names. */
    private Set<Thread> threads(Loopback of) {
        Set<Thread> own = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("closing ")
                        || thread.getName().startsWith("ps-1 "))
                .collect(Collectors.toSet());
        assertThat(of.servers).hasSize(2);
        return own;
    }

    @Test
    void relayed_handshake_does_not_authenticate() throws Exception {
        Loopback two = loopback.closes(Loopback.floats(2, 4, Consistency.asynchronous()));
        ServerSocket inPlaceOfOne = loopback.closes(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        List<InetSocketAddress> addresses = List.of(
                (InetSocketAddress) inPlaceOfOne.getLocalSocketAddress(),
                two.addresses().get(1));
        FutureTask<Void> passing = new FutureTask<>(() -> passOn(inPlaceOfOne, two), null);
        Thread thread = new Thread(passing, "passes a greeting on");
        thread.setDaemon(true);
        thread.start();
        RemoteShards worker = loopback.worker(
                new ShardClientConfig(
                        Loopback.RUN,
                        "w",
                        two.contents,
                        List.of(),
                        Duration.ofMillis(1),
                        two.handshake,
                        new ManualTimers()),
                addresses);

        assertThatThrownBy(() -> worker.pull(new float[4], List.of(), new WeightVersions(2)))
                .isInstanceOf(ShardTimeoutException.class)
                .rootCause()
                .hasMessageContaining(" failed to authenticate with this job's token");
        inPlaceOfOne.close();
        thread.join(20_000);
        assertThat(thread.isAlive()).isFalse();
    }

    /** Replaces the first server, and relays the second one's bytes to its caller. */
    private static void passOn(ServerSocket listening, Loopback two) {
        while (true) {
            try (Socket caller = listening.accept();
                    Socket server = new Socket()) {
                server.connect(two.addresses().get(1));
                server.setSoTimeout(20_000);
                Thread answers = new Thread(() -> copy(server, caller), "passes answers on");
                answers.setDaemon(true);
                answers.start();
                copy(caller, server);
                server.close();
                answers.join(20_000);
            } catch (IOException | InterruptedException e) {
                if (listening.isClosed()) {
                    return;
                }
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException ended) {
            // Of either end.
        }
    }

    @Test
    void silent_unauthenticated_callers_do_not_block_workers() throws Exception {
        List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < ConnectionSettings.defaults().strangers() + 1; i++) {
            strangers.add(connect());
        }

        // The oldest unauthenticated connection is closed for the newest.
        assertThat(closedByServer(strangers.get(0))).isTrue();
        pull(loopback.worker("w"));
        assertThat(closedByServer(strangers.get(1))).isTrue();
    }

    @Test
    void no_connection_is_made_behind_the_end() {
        ShardClientConfig config = caller(Loopback.RUN, loopback.contents, loopback.handshake);
        ShardFrameLayout layout = loopback.served(0, 1).layout();
        ShardConnection connection = new ShardConnection(loopback.addresses().get(0), config, layout, Loopback.QUICK);
        connection.end();

        assertThatThrownBy(connection::connect).isInstanceOf(ClosedChannelException.class);
        assertThat(connection.open()).isFalse();
    }

    @Test
    void error_on_one_shards_thread_is_not_taken_for_a_response() {
        ShardClientConfig config = caller(Loopback.RUN, loopback.contents, loopback.handshake);
        ShardFrameLayout layout = loopback.served(0, 1).layout();
        List<ShardClient> clients = List.of(
                new ShardClient(
                        layout, new ShardConnection(loopback.addresses().get(0), config, layout, Loopback.QUICK)),
                new ShardClient(
                        layout, new ShardConnection(loopback.addresses().get(0), config, layout, Loopback.QUICK)));
        RequestFanOut fanOut = loopback.closes(new RequestFanOut("unit"));

        assertThatThrownBy(() -> fanOut.run(
                        clients, false, TimeBound.silence(ConnectionSettings.defaults()), client -> {}, client -> {
                            if (client == clients.get(1)) {
                                throw new OutOfMemoryError("Java heap space");
                            }
                        }))
                .isInstanceOf(OutOfMemoryError.class);
    }
}
