package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.optimizers.Consistency;
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
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A frame has a time bound, however slowly its bytes arrive. */
class SlowPeerTest {
    private static final Greeting.Purpose PURPOSE = new Greeting.Purpose("run-1", "ps-0", "");
    private static final TimeBound GREETING = new TimeBound(Duration.ofSeconds(5), "connections.greeting");
    private static final TimeBound SILENCE = TimeBound.silence(ConnectionSettings.defaults());

    private final ManualTimers timers = new ManualTimers();

    private SocketChannel peer = SocketChannel.open();
    private SocketChannel channel = SocketChannel.open();
    private BoundedChannel bounded = called();

    SlowPeerTest() throws IOException {}

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            peer = SocketChannel.open(listening.getLocalAddress());
            channel = listening.accept();
            bounded = called();
        }
    }

    private BoundedChannel called() throws IOException {
        return BoundedChannel.called(channel, ChannelSecurity.plain(), "worker-3", timers, false);
    }

    @AfterEach
    void close() throws IOException {
        bounded.close();
        peer.close();
    }

    /** Returns an input whose peer sends this many bytes of a frame before each read, and a second passes per read. */
    private FrameInput slowly(byte[] frame, int bytes) {
        ByteBuffer from = ByteBuffer.wrap(frame);
        return new FrameInput(new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer into) throws IOException {
                int part = Math.min(bytes, from.remaining());
                for (ByteBuffer next = from.slice(from.position(), part); next.hasRemaining(); ) {
                    peer.write(next);
                }
                from.position(from.position() + part);
                int read = 0;
                while (read < part) {
                    int some = bounded.read(into);
                    if (some < 0) {
                        return some;
                    }
                    read += some;
                }
                timers.pass(Duration.ofSeconds(1));
                return read;
            }

            @Override
            public boolean isOpen() {
                return bounded.isOpen();
            }

            @Override
            public void close() {
                bounded.close();
            }
        });
    }

    private static void read(FrameInput in, int floats) throws IOException {
        in.next(kind -> 4L * floats);
        in.floats(new float[floats], floats);
        in.end();
    }

    private static byte[] push(int floats) {
        return Conversation.bytes(out -> out.begin(FrameKind.PUSH, 0, 1, 0, 0, 4L * floats)
                .floats(new float[floats], 0, floats)
                .end());
    }

    @Test
    void slow_unauthenticated_caller_has_five_seconds() throws IOException {
        byte[] hello = Conversation.bytes(out -> out.begin(FrameKind.HELLO, 0, 1, 0, 0, 36)
                .bytes(new byte[32])
                .text("")
                .end());
        Handshake handshake =
                new Handshake(JobToken.create(new SecureRandom()), new SecureRandom(), ChannelSecurity.plain());

        bounded.startGreeting(GREETING);

        assertThatThrownBy(
                        () -> bounded.answer(slowly(hello, 1), new FrameOutput(bounded), handshake, session -> PURPOSE))
                .isInstanceOf(IOException.class)
                .hasMessage("the caller did not authenticate within 5s, the bound connections.greeting");
    }

    @Test
    void system_probes_the_host_of_an_idle_worker() throws IOException {
        bounded.keepAlive(Duration.ofSeconds(10));

        assertThat(channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
        assertThat(channel.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(10);
        int silent = channel.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL)
                * channel.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT);
        assertThat(silent).isBetween(5, 10);
    }

    @Test
    void slow_worker_has_thirty_seconds_for_a_frame_of_any_length() throws IOException {
        bounded.reads().end(SILENCE);

        assertThatThrownBy(() -> read(slowly(push(1_000_000), 1), 1_000_000))
                .isInstanceOf(FrameException.class)
                .hasMessage("worker-3 has transferred 30 bytes of a frame within 30s, the bound connections.silence");
    }

    @Test
    void a_small_frame_may_come_in_pieces() throws IOException {
        bounded.reads().end(SILENCE);

        read(slowly(push(0), 2), 0);
    }

    @Test
    void large_frame_may_continue_while_a_megabyte_moves_per_bound() throws IOException {
        bounded.reads().end(SILENCE);

        read(slowly(push(2_000_000), 40_000), 2_000_000);
        bounded.reads().end(SILENCE);
        assertThatThrownBy(() -> read(slowly(push(2_000_000), 30_000), 2_000_000))
                .isInstanceOf(FrameException.class)
                .hasMessageContaining("has transferred 900000 bytes");
    }

    @Test
    void nothing_has_to_move_between_frames() throws IOException {
        bounded.reads().end(SILENCE);
        for (int i = 0; i < 1000; i++) {
            timers.pass(Duration.ofSeconds(1));
        }

        read(slowly(push(16), 100), 16);
    }

    @Test
    @Timeout(60)
    void worker_times_out_on_a_slow_server_and_names_it() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Loopback loopback = Loopback.floats(1, 4, Consistency.asynchronous());
                ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            ShardClientConfig config = new ShardClientConfig(
                    Loopback.RUN, "w", loopback.contents, List.of(), Duration.ofMillis(1), loopback.handshake, timers);
            InetSocketAddress address = (InetSocketAddress) listening.getLocalSocketAddress();
            RemoteShards worker =
                    loopback.closes(RemoteShards.of(List.of(address), config, ConnectionSettings.defaults()));
            Future<?> calls = threads.submit(() -> {
                while (true) {
                    Socket socket = loopback.closes(listening.accept());
                    socket.getOutputStream().write('E');
                    // The caller is connected, and its greeting has begun.
                    socket.getInputStream().readNBytes(FrameInput.HEADER);
                    timers.pass(ConnectionSettings.defaults().greeting());
                }
            });
            Future<?> pull = threads.submit(() -> {
                worker.pull(new float[4], List.of(), new WeightVersions(1));
                return true;
            });
            assertThatThrownBy(() -> pull.get(30, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(ShardTimeoutException.class)
                    .hasMessage("parameter shard ps-0 did not come back within 1ms")
                    .hasRootCauseMessage("ps-0 at " + address.getHostString() + ":" + address.getPort()
                            + " did not authenticate within 10s, the bound connections.greeting");
            assertThat(calls).isNotDone();
        } finally {
            threads.shutdownNow();
        }
    }
}
