package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that sends pushes which are no numbers, and reads no response. */
@Timeout(60)
class UnreadErrorsTest {
    private final Loopback loopback = Loopback.floats(1, 4, Consistency.asynchronous());

    @AfterEach
    void close() {
        loopback.close();
    }

    @Test
    void a_write_of_errors_is_bounded() throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            channel.connect(loopback.addresses().get(0));
            Conversation conversation = new Conversation(loopback);
            FrameInput in = new FrameInput(Channels.newChannel(channel.socket().getInputStream()));
            byte[] mine = loopback.handshake.nonce();
            channel.write(ByteBuffer.wrap(conversation.frame(0, mine, new byte[32], 0)));
            in.next(kind -> 1000);
            byte[] theirs = in.bytes(32);
            in.bytes(32);
            in.end();
            channel.write(ByteBuffer.wrap(conversation.frame(1, mine, theirs, 0)));
            in.next(kind -> 1000);
            in.life();
            in.end();
            dev.edl.runtime.ps.ShardLife life = new dev.edl.runtime.ps.ShardLife(Loopback.RUN, 1, 0);
            byte[] one =
                    Conversation.bytes(out -> out.begin(FrameKind.PUSH, 0, 3, 5, 0, 16 + FrameOutput.sizeOf(life) + 16)
                            .writeLong(6)
                            .writeLong(-1)
                            .life(life)
                            .floats(new float[] {Float.NaN, 1, 1, 1}, 0, 4)
                            .end());
            ByteBuffer many = ByteBuffer.allocate(one.length * 1000);
            for (int i = 0; i < 1000; i++) {
                many.put(one);
            }
            many.flip();
            channel.configureBlocking(false);
            long still = System.nanoTime();
            boolean open = true;
            try {
                while (System.nanoTime() - still < 2_000_000_000L) {
                    if (channel.write(many) > 0) {
                        still = System.nanoTime();
                    }
                    if (!many.hasRemaining()) {
                        many.clear();
                    }
                }
                assertThat(Thread.getAllStackTraces().values().stream()
                                .map(java.util.Arrays::toString)
                                .filter(stack -> stack.contains("FrameOutput.flush")))
                        .as("threads that write")
                        .hasSize(1);
                // The server's thread has waited for 2 s to write, and its timers see two hours.
                loopback.timers.get(0).pass(Duration.ofHours(2));
                Thread.sleep(200);
                channel.write(many);
                channel.write(many);
            } catch (IOException closed) {
                open = false;
            }
            assertThat(open).as("open after two hours of a write").isFalse();
        }
    }
}
