package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.LogRecords;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.wire.tls.ChannelBinding;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers that neither read nor send stop no other worker; a server has four vectors. */
@Timeout(60)
class SlowWorkersTest {
    /** 4 MiB, which fill the buffers of a socket. */
    private static final int FLOATS = 1 << 20;

    private static final int VECTORS = 4;

    private final Loopback loopback = Loopback.floats(1, FLOATS, Consistency.asynchronous());
    private final LogRecords log = new LogRecords(ServerConnection.class);
    private final float[] vector = new float[FLOATS];
    private final WeightVersions base = new WeightVersions(1);

    @AfterEach
    void close() {
        log.close();
        loopback.close();
    }

    private Socket connect() throws IOException {
        Socket socket = loopback.closes(new Socket());
        socket.setReceiveBufferSize(4096);
        socket.connect(loopback.addresses().get(0));
        socket.setSoTimeout(20_000);
        return socket;
    }

    /** Connects a worker that pulls, and reads only the begin of the values. */
    private FrameInput stuckReader(String worker) throws IOException {
        Socket socket = connect();
        FrameInput in = new Conversation(loopback, worker).greet(socket);
        socket.getOutputStream()
                .write(Conversation.bytes(
                        out -> out.begin(FrameKind.PULL, 0, 2, 0, 0, 0).end()));
        in.next(kind -> 1L << 30);
        assertThat(in.kind()).isEqualTo(FrameKind.VALUES);
        return in;
    }

    private void push(RemoteShards worker, long id) throws InterruptedException {
        worker.push(id, base, vector, List.of());
    }

    private List<String> warnings() {
        return log.records().stream().map(record -> record.getMessage()).toList();
    }

    @Test
    void pull_is_answered_beside_eight_stuck_readers_of_its_version() throws Exception {
        for (int i = 0; i < 2 * VECTORS; i++) {
            stuckReader("slow-" + i);
        }

        loopback.worker("w").pull(vector, List.of(), base);

        assertThat(loopback.servers.get(0).staging()).hasToString("3 of 4 vectors of " + FLOATS + " floats are free");
        assertThat(log.records()).isEmpty();
    }

    @Test
    void slowest_of_the_stuck_readers_of_different_versions_is_cut() throws Exception {
        RemoteShards worker = loopback.worker("w");
        worker.pull(vector, List.of(), base);
        List<FrameInput> readers = new ArrayList<>();
        for (int i = 0; i < VECTORS; i++) {
            readers.add(stuckReader("slow-" + i));
            push(worker, i);
        }

        assertThat(warnings())
                .singleElement()
                .asString()
                .matches("ps-0 ends the connection of slow-0: other workers wait for one of 4 vectors, and slow-0 has "
                        + "used one for \\S+; usual are \\S+\\. It may try again, among the slow workers");
        assertThatThrownBy(() -> readers.get(0).floats(vector, FLOATS)).isInstanceOf(IOException.class);
        // The cut worker may pull again at once.
        loopback.worker("slow-0").pull(vector, List.of(), base);
    }

    @Test
    void slowest_of_the_stuck_senders_is_cut_and_gets_the_reason() throws Exception {
        List<FrameInput> senders = new ArrayList<>();
        ShardLife life = new ShardLife(Loopback.RUN, 1, 0);
        for (int i = 0; i < VECTORS; i++) {
            Socket socket = connect();
            senders.add(new Conversation(loopback, "slow-" + i).greet(socket));
            byte[] push = Conversation.bytes(
                    out -> out.begin(FrameKind.PUSH, 0, 3, 1, 0, 16 + FrameOutput.sizeOf(life) + 4L * FLOATS)
                            .writeLong(1)
                            .writeLong(-1)
                            .life(life)
                            .floats(vector, 0, 1000)
                            .flush());
            socket.getOutputStream().write(push);
            awaitHolds(i + 1);
        }

        loopback.worker("w").pull(vector, List.of(), base);

        FrameInput cut = senders.get(0);
        cut.next(kind -> 10_000);
        assertThat(cut.kind()).isEqualTo(FrameKind.AWAY);
        assertThat(cut.text())
                .startsWith("ps-0 ends the connection: other workers wait for one of 4 vectors, and slow-0 has used");
        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith("ps-0 ends the connection of slow-0: other workers");
    }

    /** Waits until the server has begun to receive the pushes; the class's timeout interrupts it. */
    private void awaitHolds(int holds) throws InterruptedException {
        String expected = VECTORS - holds + " of";
        while (!loopback.servers.get(0).staging().toString().startsWith(expected)) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the server receives fewer than " + holds + " pushes");
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void worker_logs_why_the_server_ended_its_push() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                LogRecords ofWorker = new LogRecords(ShardConnection.class)) {
            listening.setReceiveBufferSize(4096);
            InetSocketAddress address = (InetSocketAddress) listening.getLocalSocketAddress();
            Thread server = new Thread(() -> endEachPush(listening), "ends each push");
            server.setDaemon(true);
            server.start();
            RemoteShards worker = loopback.worker("w", List.of(address), Duration.ofMillis(1));
            String reason = "ps-0 at " + address.getHostString() + ":" + address.getPort() + ": slow";

            assertThatThrownBy(() -> push(worker, 0))
                    .isInstanceOf(ShardTimeoutException.class)
                    .hasRootCauseMessage(reason);
            assertThat(ofWorker.first().getMessage()).isEqualTo("w connects again to " + reason);
            listening.close();
            server.join(20_000);
        }
    }

    /** Replaces a server that ends the connection with a reason, and has read the push's header only. */
    private void endEachPush(ServerSocket listening) {
        ServedShard served = loopback.served(0, 1);
        while (!listening.isClosed()) {
            try (Socket worker = listening.accept()) {
                FrameInput in = new FrameInput(Channels.newChannel(worker.getInputStream()));
                FrameOutput out = new FrameOutput(Channels.newChannel(worker.getOutputStream()));
                Greeting.Purpose purpose = served.layout().purpose(served.run());
                Greeting.answer(in, out, ChannelBinding.PLAIN, served.handshake(), session -> purpose);
                ShardLife life = new ShardLife(Loopback.RUN, 1, 0);
                out.begin(FrameKind.WELCOME, 0, in.request(), 0, 0, FrameOutput.sizeOf(life))
                        .life(life)
                        .end()
                        .flush();
                in.next(served.layout()::asked);
                out.begin(FrameKind.AWAY, 0, in.request(), 0, 0, FrameOutput.sizeOf("slow"))
                        .text("slow")
                        .end()
                        .flush();
            } catch (IOException ended) {
                // By the worker, or by the test.
            }
        }
    }
}
