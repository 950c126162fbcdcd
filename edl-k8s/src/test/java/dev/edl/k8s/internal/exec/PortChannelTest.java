package dev.edl.k8s.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Framing of port-forward, on a simulated web socket. */
class PortChannelTest {
    private static final byte[] PORT = {0, 80, 0};

    private final PortChannel channel = new PortChannel("worker-0:80");
    private final Played socket = new Played();
    private final WebSocket.Listener server = channel.receiver();

    /** Accepts every third message, like a web socket whose previous send is still in flight. */
    private static final class Played implements WebSocket {
        private final List<byte[]> sent = new ArrayList<>();
        private int tries;
        private int requests;
        private int closedWith;

        @Override
        public boolean send(ByteBuffer message) {
            if (++tries % 3 != 0) {
                return false;
            }
            byte[] bytes = new byte[message.remaining()];
            message.get(bytes);
            sent.add(bytes);
            return true;
        }

        @Override
        public boolean sendClose(int code, String reason) {
            closedWith = code;
            return true;
        }

        @Override
        public long queueSize() {
            return 0;
        }

        @Override
        public void request() {
            requests++;
        }
    }

    @BeforeEach
    void it_is_open() throws Exception {
        channel.awaitOpen(CompletableFuture.completedFuture(socket));
        server.onMessage(socket, ByteBuffer.wrap(PORT));
        server.onMessage(socket, ByteBuffer.wrap(new byte[] {1, 80, 0}));
    }

    private void receive(int stream, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        server.onMessage(
                socket,
                ByteBuffer.allocate(bytes.length + 1)
                        .put((byte) stream)
                        .put(bytes)
                        .flip());
    }

    private String read(int most) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(most);
        int count = channel.read(into);
        assertThat(count).isEqualTo(into.position());
        return new String(into.array(), 0, count, StandardCharsets.UTF_8);
    }

    @Test
    void what_is_received_is_read_in_pieces_of_any_size() throws IOException {
        receive(0, "hello ");
        receive(0, "");
        receive(0, "world");

        assertThat(read(3)).isEqualTo("hel");
        assertThat(read(5)).isEqualTo("lo wo");
        assertThat(read(99)).isEqualTo("rld");
    }

    @Test
    void the_end_comes_after_what_was_received() throws IOException {
        receive(0, "last");
        server.onClose(socket, 1000, "");

        assertThat(read(9)).isEqualTo("last");
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThatThrownBy(() -> channel.write(ByteBuffer.wrap(new byte[1])))
                .isInstanceOf(IOException.class)
                .hasMessage("writing to worker-0:80: the connection is closed");
    }

    @Test
    void a_read_throws_the_error_of_the_pod() throws IOException {
        receive(0, "some");
        receive(1, "error forwarding port 80: connection refused\n");
        server.onClose(socket, 1000, "");

        assertThat(read(9)).isEqualTo("some");
        assertThatThrownBy(() -> read(9))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot connect to worker-0:80: error forwarding port 80: connection refused");
        assertThatThrownBy(() -> channel.write(ByteBuffer.wrap(new byte[1])))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("connection refused");
    }

    @Test
    void a_broken_connection_is_not_the_end_of_data() {
        server.onClose(socket, 1006, "abnormal");

        assertThatThrownBy(() -> read(9))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot connect to worker-0:80: the connection was closed with code 1006, abnormal");
    }

    @Test
    void a_message_that_was_not_sent_is_retried() throws IOException {
        byte[] all = new byte[100_000];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) (i * 31);
        }
        ByteBuffer bytes = ByteBuffer.wrap(all);

        assertThat(channel.write(bytes)).isEqualTo(all.length);

        assertThat(bytes.hasRemaining()).isFalse();
        assertThat(socket.tries).isEqualTo(3 * socket.sent.size());
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        for (byte[] message : socket.sent) {
            assertThat(message[0]).isZero();
            assertThat(message.length).isLessThanOrEqualTo(32 * 1024 + 1);
            sent.write(message, 1, message.length - 1);
        }
        assertThat(sent.toByteArray()).isEqualTo(all);
    }

    @Test
    void a_read_without_data_ends_at_its_limit() throws IOException {
        channel.until(System.nanoTime());
        receive(0, "late");

        assertThat(read(9)).isEqualTo("late");
        assertThatThrownBy(() -> read(9))
                .isInstanceOf(IOException.class)
                .hasMessage("reading from worker-0:80: no data within the time limit");
    }

    @Test
    void a_read_of_a_silent_peer_ends() throws IOException {
        channel.silence(Duration.ZERO);
        receive(0, "late");

        assertThat(read(9)).isEqualTo("late");
        assertThatThrownBy(() -> read(9))
                .isInstanceOf(IOException.class)
                .hasMessage("reading from worker-0:80: no data within the time limit");
    }

    @Test
    void no_more_data_is_requested_than_is_read() throws IOException {
        String kibi = "x".repeat(1024);
        int before = socket.requests;
        for (int i = 0; i < 256; i++) {
            receive(0, kibi);
        }
        assertThat(socket.requests).isEqualTo(before + 255);

        read(1024);

        assertThat(socket.requests).isEqualTo(before + 256);
    }

    @Test
    void a_web_socket_that_opens_after_an_interrupt_is_closed() {
        CompletableFuture<WebSocket> connecting = new CompletableFuture<>();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> new PortChannel("worker-0:80").awaitOpen(connecting))
                .isInstanceOf(InterruptedException.class);
        assertThat(socket.closedWith).isZero();

        connecting.complete(socket);

        assertThat(socket.closedWith).isEqualTo(1000);
    }

    @Test
    void closing_ends_a_read_that_waits() throws Exception {
        CompletableFuture<String> reading = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return read(9);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                reader -> new Thread(reader).start());

        channel.close();

        assertThatThrownBy(() -> reading.get(60, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(AsynchronousCloseException.class);
        assertThat(channel.isOpen()).isFalse();
        assertThat(socket.closedWith).isEqualTo(1000);
        assertThatThrownBy(() -> channel.write(ByteBuffer.wrap(new byte[1])))
                .isInstanceOf(ClosedChannelException.class);
    }
}
