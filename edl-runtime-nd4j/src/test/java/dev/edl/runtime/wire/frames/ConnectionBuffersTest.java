package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.LogRecords;
import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.wire.bounds.ManualTimers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The size of a connection's buffers, and a server that has no memory for more of them. */
@Timeout(60)
class ConnectionBuffersTest {
    private final Loopback loopback = Loopback.floats(1, 4, Consistency.asynchronous());
    private final LogRecords log = new LogRecords(ShardServer.class);
    private final ManualTimers timers = new ManualTimers();
    /** Number of further allocations that succeed. */
    private final AtomicInteger room = new AtomicInteger();

    private final AtomicInteger failed = new AtomicInteger();

    @AfterEach
    void close() {
        log.close();
        loopback.close();
    }

    @ParameterizedTest
    @CsvSource({
        "4, 4096",
        // 4,096 bytes less 1,024 beside the floats.
        "768, 4096",
        "769, 8192",
        "7936, 32768",
        "101770, 262144",
        "10000000, 262144",
    })
    void buffer_holds_a_frame_of_the_shard(int floats, int bytes) {
        ShardContents contents = ShardContents.floats(floats);
        ShardFrameLayout layout = new ShardFrameLayout(contents.split(1).get(0), 1, contents, List.of());

        assertThat(ConnectionBuffers.bytes(layout)).isEqualTo(bytes);
    }

    @Test
    void sixty_four_mebibytes_serve_a_thousand_connections_of_a_small_model() {
        ShardContents contents = ShardContents.floats(7_000);
        ShardFrameLayout layout = new ShardFrameLayout(contents.split(1).get(0), 1, contents, List.of());

        assertThat(2L * ConnectionBuffers.bytes(layout) * 1_000).isLessThan(64L << 20);
    }

    @Test
    void rows_have_the_largest_buffer() {
        EmbeddingTable table = new EmbeddingTable("words", 4, 0, 1, Initializer.uniform(-1, 1));
        ShardContents contents = ShardContents.floats(4);
        ShardFrameLayout layout = new ShardFrameLayout(contents.split(1).get(0), 1, contents, List.of(table));

        assertThat(ConnectionBuffers.bytes(layout)).isEqualTo(262_144);
    }

    /** Starts a server whose allocations fail when there is no {@link #room}. */
    private List<InetSocketAddress> limited() throws IOException {
        ShardServer server = loopback.closes(ShardServer.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                loopback.served(0, 1),
                Loopback.QUICK,
                timers,
                () -> {
                    if (room.getAndDecrement() > 0) {
                        return ConnectionBuffers.allocate(4096);
                    }
                    failed.incrementAndGet();
                    throw new OutOfMemoryError("planted");
                }));
        server.place(loopback.shards.get(0));
        return List.of(server.address());
    }

    private static void pull(RemoteShards worker) throws InterruptedException {
        worker.pull(new float[4], List.of(), new WeightVersions(1));
    }

    @Test
    void caller_without_memory_is_sent_away_with_the_reason() throws Exception {
        room.set(2);
        List<InetSocketAddress> server = limited();
        RemoteShards first = loopback.worker("w-0", server, Duration.ofSeconds(20));
        pull(first);
        pull(loopback.worker("w-1", server, Duration.ofSeconds(20)));
        RemoteShards third = loopback.worker("w-2", server, Duration.ofMillis(1));
        String name =
                "ps-0 at " + server.get(0).getHostString() + ":" + server.get(0).getPort();

        assertThatThrownBy(() -> pull(third))
                .isInstanceOf(ShardTimeoutException.class)
                .hasRootCauseMessage(name + " sent AWAY before it authenticated: ps-0 ends the connection: planted");

        assertThat(log.records())
                .singleElement()
                .satisfies(record -> assertThat(record.getMessage())
                        .isEqualTo("server of ps-0[0..4) at " + server.get(0) + " has 2 connections and sends further "
                                + "callers away until one ends: planted"));
        // Without a tick the allocation, which would collect garbage for half a second, is not repeated.
        assertThat(failed).hasValue(1);
        pull(first);
    }

    @Test
    void caller_is_served_once_a_connection_has_ended() throws Exception {
        room.set(1);
        List<InetSocketAddress> server = limited();
        RemoteShards first = loopback.worker("w-0", server, Duration.ofSeconds(20));
        pull(first);
        RemoteShards second = loopback.worker("w-1", server, Duration.ofMillis(1));
        assertThatThrownBy(() -> pull(second)).isInstanceOf(ShardTimeoutException.class);
        first.close();

        pull(loopback.worker("w-1", server, Duration.ofSeconds(20)));

        assertThat(failed).hasValue(1);
    }

    @Test
    void caller_is_served_once_there_is_memory_again() throws Exception {
        List<InetSocketAddress> server = limited();
        RemoteShards worker = loopback.worker("w-0", server, Duration.ofMillis(1));
        assertThatThrownBy(() -> pull(worker)).isInstanceOf(ShardTimeoutException.class);
        room.set(1);

        timers.pass(Duration.ofSeconds(1));

        pull(loopback.worker("w-1", server, Duration.ofSeconds(20)));
    }

    @Test
    void silent_caller_occupies_the_reserve_only_until_its_timeout() throws Exception {
        List<InetSocketAddress> server = limited();
        Socket silent = loopback.closes(new Socket());
        silent.connect(server.get(0));
        silent.setSoTimeout(20_000);
        assertThat(log.first().getMessage()).contains("sends further callers away");

        // The next caller finds no reserve, and is closed without a reason.
        Socket next = loopback.closes(new Socket());
        next.connect(server.get(0));
        next.setSoTimeout(20_000);
        assertThat(next.getInputStream().read()).isEqualTo(-1);
        timers.pass(Duration.ofSeconds(5));
        assertThat(silent.getInputStream().read()).isEqualTo(-1);
    }
}
